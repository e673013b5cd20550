// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/StepSchedule.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace sendwright {

std::vector<double> messageCosts(const std::vector<Message> &messages, double ratio) {
  std::vector<double> costs;
  costs.reserve(messages.size());
  for (const Message &message : messages)
    costs.push_back(static_cast<double>(message.elements) / (message.local() ? ratio : 1));
  return costs;
}

double scheduleCost(const std::vector<std::vector<std::uint32_t>> &steps,
                    const std::vector<double> &costs) {
  double sum = 0;
  for (const std::vector<std::uint32_t> &step : steps) {
    double longest = 0;
    for (std::uint32_t message : step)
      longest = std::max(longest, costs[message]);
    sum += longest;
  }
  return sum;
}

bool isValidSchedule(const std::vector<std::vector<std::uint32_t>> &steps,
                     const std::vector<Message> &messages, bool localOnesToo) {
  std::vector<char> scheduled(messages.size());
  std::size_t count = 0;
  for (const std::vector<std::uint32_t> &step : steps) {
    std::set<int> senders, receivers;
    for (std::uint32_t index : step) {
      if (index >= messages.size() || scheduled[index] ||
          (messages[index].local() && !localOnesToo))
        return false;
      scheduled[index] = true;
      ++count;
      if (!senders.insert(messages[index].source).second ||
          !receivers.insert(messages[index].destination).second)
        return false;
    }
  }
  return count == static_cast<std::size_t>(
                      std::count_if(messages.begin(), messages.end(), [&](const Message &message) {
                        return localOnesToo || !message.local();
                      }));
}

std::uint32_t largestDegree(const std::vector<Message> &messages, bool localOnesToo) {
  std::unordered_map<int, std::uint32_t> sends, receives;
  std::uint32_t largest = 0;
  for (const Message &message : messages)
    if (localOnesToo || !message.local())
      largest = std::max({largest, ++sends[message.source], ++receives[message.destination]});
  return largest;
}

} // namespace sendwright
