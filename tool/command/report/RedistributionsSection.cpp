// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What redistribute directives move, and when each port is busy under each schedule: ours, where a
// message begins as soon as it is next at both ends, and the steps of TPDR and MLC, where all ranks
// wait for the longest message of a step. Times are in elements.

#include "analysis/file/FormatError.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "tool/command/report/ReportSections.h"
#include "tool/command/show/ShownRedistributions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostRanks = 1024, mostMessages = 4096, mostRedistributions = 16;

/// A message at work: [message, begin, end].
Json barOf(std::uint32_t message, std::int64_t begin, std::int64_t elements) {
  return {message, begin, begin + elements};
}

/// In steps: each begins when the longest message of the step before it is over.
Json stepsJson(const char *name, const StepSchedule &schedule,
               const std::vector<Message> &messages) {
  Json bars = Json::array();
  std::int64_t time = 0;
  for (const std::vector<std::uint32_t> &step : schedule.steps) {
    std::int64_t longest = 0;
    for (const std::uint32_t message : step) {
      bars.push_back(barOf(message, time, messages[message].elements));
      longest = std::max(longest, messages[message].elements);
    }
    time += longest;
  }
  return {{"name", name}, {"elements", time}, {"bars", std::move(bars)}};
}

/// Each message begins when it is next at both of its ends and both are free.
Json orderedJson(const AsynchronousOrder &order, const std::vector<Message> &messages) {
  const std::size_t ranks = order.orders.send.size();
  std::vector<std::size_t> sent(ranks), received(ranks);
  std::vector<std::int64_t> senderFree(ranks), receiverFree(ranks);
  Json bars = Json::array();
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      while (sent[rank] < order.orders.send[rank].size()) {
        const std::uint32_t message = order.orders.send[rank][sent[rank]];
        const auto to = static_cast<std::size_t>(messages[message].destination);
        if (received[to] >= order.orders.receive[to].size() ||
            order.orders.receive[to][received[to]] != message)
          break;
        const std::int64_t begin = std::max(senderFree[rank], receiverFree[to]);
        bars.push_back(barOf(message, begin, messages[message].elements));
        senderFree[rank] = receiverFree[to] = begin + messages[message].elements;
        ++sent[rank];
        ++received[to];
        moved = true;
      }
  }
  return {{"name", "asynchronous (Sendwright)"},
          {"elements", order.makespan},
          {"bars", std::move(bars)}};
}

/// Null where a page has no room for the schedules.
Json schedulesOf(const RecordedRedistribution &recorded) {
  const auto sum = [](const std::vector<std::int64_t> &sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  };
  const std::size_t ranks = recorded.before.size();
  if (ranks > mostRanks || ranks != recorded.after.size())
    return nullptr;
  const auto distributed = [&](const std::vector<std::int64_t> &sizes) {
    return Distribution({DimensionFormat::genBlock(sizes)}, {sum(sizes)},
                        {static_cast<int>(ranks)});
  };
  const std::vector<Message> messages =
      messagesBetween(distributed(recorded.before), distributed(recorded.after));
  if (messages.size() > mostMessages)
    return nullptr;
  const std::vector<double> costs = messageCosts(messages, 1);
  Json list = Json::array();
  for (const Message &message : messages)
    list.push_back({message.source, message.destination, message.elements});
  const AsynchronousOrder order = asynchronousOrder(messages, static_cast<int>(ranks));
  return {{"messages", std::move(list)},
          {"lower_bound", order.lowerBound},
          {"schedules",
           {orderedJson(order, messages),
            stepsJson("TPDR", reduceDegrees(messages, costs, true), messages),
            stepsJson("MLC", scheduleInLevels(messages, costs), messages)}}};
}

} // namespace

Json redistributionsSection(const ReportData &data) {
  std::vector<RecordedRedistribution> frequent = frequentRedistributions(data.profile);
  if (frequent.empty())
    return {{"absent", "The run redistributes no arrays."}};
  const std::size_t all = frequent.size();
  frequent.resize(std::min(all, mostRedistributions));
  Json list = redistributionsJson(frequent);
  for (std::size_t index = 0; index < frequent.size(); ++index) {
    try {
      list[index]["scheduled"] = schedulesOf(frequent[index]);
    } catch (const FormatError &) { // sizes that no distribution has
      list[index]["scheduled"] = nullptr;
    }
  }
  const double alltoallv = simulateRun(data.profile, data.timeline, data.machine, nullptr, nullptr,
                                       RedistributionMethod::Alltoallv)
                               .wholeSeconds;
  return {{"all", all},
          {"list", std::move(list)},
          {"seconds_with_schedules", data.written.run.wholeSeconds},
          {"seconds_with_alltoallv", alltoallv}};
}

} // namespace sendwright
