// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What redistribute directives move, and when each port is busy under each schedule: ours, where a
// message begins as soon as it is next at both ends, the steps of TPDR and MLC, where all ranks
// wait for the longest message of a step, and MPI_Alltoallv. Twice: in elements, as the literature
// compares schedules (without MPI_Alltoallv, whose order is not a schedule), and in seconds, as
// simulated on the machine.

#include "analysis/file/FormatError.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "analysis/redistribution/SimulatedPorts.h"
#include "tool/command/report/MovedPatterns.h"
#include "tool/command/report/ReportSections.h"
#include "tool/command/show/ShownLoads.h"
#include "tool/command/show/ShownRedistributions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostRanks = 1024, mostMessages = 4096, mostRedistributions = 16;
constexpr std::size_t mostSimulatedRanks = 256; // MPI_Alltoallv has a message for each pair
constexpr std::size_t mostPortUses = 60'000;    // of all directives together
constexpr double ticksOfChart = 1e6;            // in which simulated times are written

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
  return {{"name", "Sendwright"}, {"elements", order.makespan}, {"bars", std::move(bars)}};
}

/// Bytes of an element, if a recorded call moved exactly these messages.
std::optional<std::uint64_t> bytesOfElement(const Profile &profile,
                                            const std::vector<Message> &messages) {
  const auto first = std::find_if(messages.begin(), messages.end(),
                                  [](const Message &message) { return !message.local(); });
  if (first == messages.end())
    return std::nullopt;
  const auto elements = static_cast<std::uint64_t>(first->elements);
  for (const RankProfile &rank : profile.ranks)
    for (const Event &event : rank.events)
      if (event.kind == EventKind::Redistribution && event.communicator >= 0 &&
          static_cast<std::size_t>(event.communicator) < rank.communicators.size()) {
        const RankList &members =
            rank.communicators[static_cast<std::size_t>(event.communicator)].members;
        const auto from = static_cast<std::size_t>(first->source);
        const auto to = static_cast<std::size_t>(first->destination);
        if (from >= members.size() || to >= members.size() ||
            &rank - profile.ranks.data() != members[from])
          continue;
        for (const MovedMessage &moved : event.moved)
          if (!moved.received && moved.peer == members[to] && moved.bytes % elements == 0)
            return moved.bytes / elements;
      }
  return std::nullopt;
}

Json simulatedJson(const char *name, const SimulatedPorts &ports, double longest) {
  Json bars = Json::array();
  const auto tick = [&](double seconds) {
    return std::llround(std::clamp(seconds / longest, 0.0, 1.0) * ticksOfChart);
  };
  for (const PortUse &use : ports.uses)
    bars.push_back({use.message, use.isReceive ? 1 : 0, tick(use.begin), tick(use.end)});
  return {{"name", name}, {"seconds", ports.seconds}, {"bars", std::move(bars)}};
}

struct ComparedSchedules {
  const std::vector<Message> &messages;
  std::optional<std::uint64_t> bytesOfElement; // if known
  const PortOrders &orders;
  const StepSchedule &tpdr, &mlc;
};

/// All ways on the machine: bars are [message, 1 at its receiver, begin, end], in ticks.
/// `room`: how many more uses of ports the page has room for. Null where there is none.
Json simulatedSchedules(const ReportData &data, const ComparedSchedules &compared,
                        std::size_t &room) {
  const auto &[messages, known, orders, tpdr, mlc] = compared;
  const std::size_t ranks = orders.send.size();
  if (ranks > std::min(mostSimulatedRanks, data.profile.ranks.size()))
    return nullptr;
  const MovedElements moved{messages, static_cast<int>(ranks), known.value_or(8)};
  const std::pair<const char *, SimulatedPorts> ways[] = {
      {"Sendwright", simulatePorts(moved, orders, data.machine, RedistributionMethod::Schedule)},
      {"TPDR", simulatePorts(moved, tpdr, data.machine)},
      {"MLC", simulatePorts(moved, mlc, data.machine)},
      {"MPI_Alltoallv",
       simulatePorts(moved, orders, data.machine, RedistributionMethod::Alltoallv)}};
  double longest = 0;
  std::size_t uses = 0;
  for (const auto &[name, ports] : ways) {
    longest = std::max(longest, ports.seconds);
    uses += ports.uses.size();
  }
  if (uses > room || longest <= 0)
    return nullptr;
  room -= uses;
  Json list = Json::array();
  for (const auto &[name, ports] : ways)
    list.push_back(simulatedJson(name, ports, longest));
  return {{"bytes_of_element", moved.bytesOfElement},
          {"is_assumed", !known},
          {"seconds_of_tick", longest / ticksOfChart},
          {"schedules", std::move(list)}};
}

/// What is moved, and under which schedules. Null where a page has no room for it.
Json schedulesOf(const ReportData &data, const std::vector<Message> &messages, std::size_t ranks,
                 std::optional<std::uint64_t> bytes, std::size_t &room) {
  if (ranks > mostRanks || messages.size() > mostMessages)
    return nullptr;
  const std::vector<double> costs = messageCosts(messages, 1);
  Json list = Json::array();
  for (const Message &message : messages)
    list.push_back({message.source, message.destination, message.elements});
  const AsynchronousOrder order = asynchronousOrder(messages, static_cast<int>(ranks));
  const StepSchedule tpdr = reduceDegrees(messages, costs, true);
  const StepSchedule mlc = scheduleInLevels(messages, costs);
  return {
      {"messages", std::move(list)},
      {"lower_bound", order.lowerBound},
      {"schedules",
       {orderedJson(order, messages), stepsJson("TPDR", tpdr, messages),
        stepsJson("MLC", mlc, messages)}},
      {"simulated", simulatedSchedules(data, {messages, bytes, order.orders, tpdr, mlc}, room)}};
}

/// For one-dimensional arrays, whose blocks are known.
Json scheduledBlocks(const ReportData &data, const RecordedRedistribution &recorded,
                     std::size_t &room) {
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
  try {
    const std::vector<Message> messages =
        messagesBetween(distributed(recorded.before), distributed(recorded.after));
    return schedulesOf(data, messages, ranks, bytesOfElement(data.profile, messages), room);
  } catch (const FormatError &) { // sizes that no distribution has
    return nullptr;
  }
}

std::string withoutFolders(const std::string &place) {
  return place.substr(place.find_last_of('/') + 1);
}

/// Directives of which no blocks were recorded, because their arrays have several dimensions.
std::vector<MovedPattern> otherPatterns(const ReportData &data,
                                        const std::vector<RecordedRedistribution> &recorded) {
  std::vector<MovedPattern> patterns = movedPatterns(data.profile, data.timeline, data.machine);
  std::set<std::string> known;
  for (const RecordedRedistribution &each : recorded)
    known.insert(withoutFolders(each.site.file) + ":" + std::to_string(each.site.line));
  std::erase_if(patterns, [&](const MovedPattern &pattern) {
    return known.contains(withoutFolders(pattern.place));
  });
  return patterns;
}

} // namespace

Json redistributionsSection(const ReportData &data) {
  std::vector<RecordedRedistribution> frequent = frequentRedistributions(data.profile);
  std::vector<MovedPattern> others = otherPatterns(data, frequent);
  if (frequent.empty() && others.empty())
    return {{"absent", "The run redistributes no arrays."}};
  const std::size_t all = frequent.size() + others.size();
  frequent.resize(std::min(frequent.size(), mostRedistributions));
  others.resize(std::min(others.size(), mostRedistributions - frequent.size()));
  Json list = redistributionsJson(frequent);
  std::size_t room = mostPortUses;
  for (std::size_t index = 0; index < frequent.size(); ++index) {
    list[index]["ranks"] = frequent[index].before.size();
    list[index]["scheduled"] = scheduledBlocks(data, frequent[index], room);
  }
  for (const MovedPattern &pattern : others)
    list.push_back({{"site", pattern.place.empty() ? "unknown place" : pattern.place},
                    {"before", nullptr},
                    {"after", nullptr},
                    {"count", pattern.count},
                    {"ranks", pattern.ranks},
                    {"scheduled", schedulesOf(data, pattern.messages, pattern.ranks, 1, room)}});
  const double alltoallv = simulateRun(data.profile, data.timeline, data.machine, nullptr, nullptr,
                                       RedistributionMethod::Alltoallv)
                               .wholeSeconds;
  return {{"all", all},
          {"list", std::move(list)},
          {"seconds_with_schedules", data.written.run.wholeSeconds},
          {"seconds_with_alltoallv", alltoallv},
          {"loads", loadsJson(data.profile, &data.machine)}};
}

} // namespace sendwright
