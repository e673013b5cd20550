// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/PortModel.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace sendwright {

namespace {

double occupation(const SizedMessage &message, const PortCosts &costs) {
  return costs.perMessage + static_cast<double>(message.bytes) * costs.perByte;
}

} // namespace

double portCompletion(const SizedLists &messages, const std::vector<double> &tail,
                      const PortCosts &costs) {
  // Requests are served in order of time, and a request never leads to an earlier request. So
  // giving each request the receiver's port as soon as it is free serves every receiver first come,
  // first served.
  using Request = std::pair<double, std::size_t>; // when, which sender
  std::priority_queue<Request, std::vector<Request>, std::greater<>> requests;
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    if (!messages[rank].empty())
      requests.push({0, rank});
  std::vector<double> ready(messages.size()), portFree(messages.size());
  std::vector<std::size_t> next(messages.size());
  while (!requests.empty()) {
    auto [time, sender] = requests.top();
    requests.pop();
    const SizedMessage &message = messages[sender][next[sender]++];
    const auto receiver = static_cast<std::size_t>(message.destination);
    double end = std::max(time, portFree[receiver]) + occupation(message, costs);
    portFree[receiver] = end;
    ready[receiver] = std::max(ready[receiver], end + costs.latency);
    ready[sender] = std::max(ready[sender], end);
    if (next[sender] < messages[sender].size())
      requests.push({end, sender});
  }
  double last = 0;
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    last = std::max(last, ready[rank] + tail[rank]);
  return last;
}

double incastCompletion(const SizedLists &messages, const std::vector<double> &tail,
                        const PortCosts &costs, const IncastFactor &factor) {
  std::vector<double> in(messages.size()), bytes(messages.size());
  std::vector<std::size_t> senders(messages.size());
  for (const std::vector<SizedMessage> &list : messages)
    for (const SizedMessage &message : list) {
      in[message.destination] += occupation(message, costs);
      bytes[message.destination] += static_cast<double>(message.bytes);
      ++senders[message.destination];
    }
  double last = portLowerBound(messages, tail, costs);
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    if (senders[rank] > 0)
      last =
          std::max(last, costs.latency + tail[rank] +
                             in[rank] * factor(senders[rank],
                                               bytes[rank] / static_cast<double>(senders[rank])));
  return last;
}

double portLowerBound(const SizedLists &messages, const std::vector<double> &tail,
                      const PortCosts &costs) {
  std::vector<double> out(messages.size()), in(messages.size());
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    for (const SizedMessage &message : messages[rank]) {
      out[rank] += occupation(message, costs);
      in[message.destination] += occupation(message, costs);
    }
  double bound = 0;
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    double received = in[rank] > 0 ? in[rank] + costs.latency : 0;
    bound = std::max(bound, std::max(out[rank], received) + tail[rank]);
  }
  return bound;
}

} // namespace sendwright
