// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/irregular/IrregularCalls.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace sendwright {

IrregularPlaces::IrregularPlaces(const Timeline &timeline) : timeline(timeline) {
  places.resize(timeline.ranks.size());
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    countRank(rank);
  for (std::uint32_t number = 0; number < found.size(); ++number)
    findPatterns(found[number], number);
}

std::uint32_t IrregularPlaces::numberOf(std::uint32_t communicator, MpiFunctionId function) {
  const IrregularCollective sought{function, timeline.communicators[communicator]};
  for (std::uint32_t number = 0; number < found.size(); ++number)
    if (found[number].calls == sought)
      return number;
  found.emplace_back().calls = sought;
  return static_cast<std::uint32_t>(found.size() - 1);
}

void IrregularPlaces::countRank(std::size_t rank) {
  const RankTimeline &own = timeline.ranks[rank];
  const std::vector<Event> &events = own.profile->events;
  places[rank].assign(events.size(), none);
  std::map<std::uint32_t, std::uint64_t> counts;
  for (std::size_t number = 0; number < events.size(); ++number) {
    const Event &event = events[number];
    if (event.kind != EventKind::Call || !isIrregular(event.function))
      continue;
    const std::uint32_t communicator = timeline.communicators.ofGroup(rank, event.communicator);
    if (communicator == CommunicatorNumbers::none ||
        timeline.communicators[communicator].members.size() < 2)
      continue;
    const std::uint32_t place = places[rank][number] = numberOf(communicator, event.function);
    counts[place] += own.count[number];
    if (event.call != noSite)
      found[place].sites.insert(event.call);
  }
  for (const auto &[place, count] : counts)
    found[place].count = std::max(found[place].count, count);
}

/// The n-th calls of all members are one operation.
void IrregularPlaces::findPatterns(IrregularCalls &calls, std::uint32_t number) {
  std::vector<std::vector<std::uint32_t>> events; // by operation and member
  std::size_t complete = SIZE_MAX;
  for (std::size_t member = 0; member < calls.members().size(); ++member) {
    const auto rank = static_cast<std::size_t>(calls.members()[member]);
    std::size_t own = 0;
    for (const std::uint32_t event : timeline.ranks[rank].numbers) {
      if (places[rank][event] != number)
        continue;
      if (own == events.size() && member == 0)
        events.emplace_back();
      if (own < events.size())
        events[own].push_back(event);
      ++own;
    }
    complete = std::min(complete, own);
  }
  events.resize(std::min(complete, events.size()));
  std::map<std::vector<std::uint32_t>, std::uint32_t> patterns;
  for (const std::vector<std::uint32_t> &operation : events) {
    const auto [place, isNew] =
        patterns.try_emplace(operation, static_cast<std::uint32_t>(calls.patterns.size()));
    if (isNew)
      calls.patterns.push_back(patternOf(calls, operation));
    ++calls.patterns[place->second].count;
    calls.operations.push_back(place->second);
  }
}

IrregularPattern IrregularPlaces::patternOf(const IrregularCalls &calls,
                                            const std::vector<std::uint32_t> &events) const {
  std::unordered_map<int, std::uint32_t> memberOf;
  for (std::uint32_t member = 0; member < calls.members().size(); ++member)
    memberOf[calls.members()[member]] = member;
  IrregularPattern pattern;
  pattern.known = true;
  for (std::uint32_t member = 0; member < calls.members().size(); ++member) {
    const auto rank = static_cast<std::size_t>(calls.members()[member]);
    const Event &event = timeline.ranks[rank].profile->events[events[member]];
    if (gathersToAll(event.function)) {
      if (event.bytes > 0)
        pattern.blocks.push_back({member, IrregularBlock::allOthers, event.bytes});
      continue;
    }
    if (isRooted(event.function)) {
      const auto root = memberOf.find(event.peer);
      pattern.known = pattern.known && root != memberOf.end();
      if (root == memberOf.end() || root->second == member || event.bytes == 0)
        continue;
      const bool gathers = mpiFunction(event.function).flow == CollectiveFlow::ToRoot;
      pattern.blocks.push_back(
          {gathers ? member : root->second, gathers ? root->second : member, event.bytes});
      continue;
    }
    pattern.known = pattern.known && (event.bytes == 0 || !event.moved.empty());
    for (const MovedMessage &block : event.moved)
      if (const auto to = memberOf.find(block.peer); to != memberOf.end() && to->second != member)
        pattern.blocks.push_back({member, to->second, block.bytes});
  }
  return pattern;
}

namespace {

/// Bytes by sender and receiver.
std::vector<std::vector<std::uint64_t>> sizesOf(const IrregularPattern &pattern,
                                                std::uint32_t members) {
  std::vector<std::vector<std::uint64_t>> sizes(members, std::vector<std::uint64_t>(members));
  forEachBlock(pattern, members,
               [&](const IrregularBlock &block) { sizes[block.from][block.to] += block.bytes; });
  return sizes;
}

const auto withoutSlots = [] { return std::vector<std::uint32_t>(); };

} // namespace

Schedule directSchedule(const IrregularPattern &pattern, std::uint32_t members) {
  const auto sizes = sizesOf(pattern, members);
  ScheduleBuilder builder(members, SlotsKept::No);
  for (std::uint32_t distance = 1; distance < members; ++distance)
    for (std::uint32_t from = 0; from < members; ++from) {
      const std::uint32_t to = (from + distance) % members;
      if (sizes[from][to] > 0)
        builder.send(from, to, sizes[from][to], withoutSlots);
    }
  builder.receiveFrom(0);
  return builder.take();
}

namespace {

class RoutedSchedule {
public:
  RoutedSchedule(const IrregularPattern &pattern, const std::vector<int> &members,
                 const std::vector<const RankExchange *> &parts, const ReplacedIrregular &replaced)
      : members(static_cast<std::uint32_t>(members.size())), sizes(sizesOf(pattern, this->members)),
        parts(parts), replaced(replaced), builder(members.size(), SlotsKept::No) {
    for (std::uint32_t member = 0; member < this->members; ++member)
      memberOf[members[member]] = member;
  }

  Schedule make() {
    const std::set<std::pair<std::uint32_t, std::uint32_t>> routed = pairs();
    for (std::uint32_t distance = 1; distance < members; ++distance)
      for (std::uint32_t from = 0; from < members; ++from) {
        const std::uint32_t to = (from + distance) % members;
        if (sizes[from][to] > replaced.largest ||
            (sizes[from][to] > 0 && !routed.contains({from, to})))
          builder.send(from, to, sizes[from][to], withoutSlots);
      }
    const std::uint32_t direct = builder.messages();
    for (std::uint32_t stage = 0; stage < replaced.stages; ++stage)
      addStage(stage);
    for (std::uint32_t message = 0; message < direct; ++message)
      builder.receive(message);
    return builder.take();
  }

private:
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> routed;
    for (const RankExchange *part : parts)
      for (const SharedMessage &message : part ? part->messages : std::vector<SharedMessage>())
        routed.insert({memberOf.at(message.source), memberOf.at(message.destination)});
    return routed;
  }

  std::uint64_t bytesOf(const RankExchange &part, const Transfer &transfer) const {
    std::uint64_t bytes = blockHeader;
    for (const std::uint32_t index : blocksIn(part, transfer, replaced.calls.function)) {
      const SharedMessage &message = part.messages[index];
      const std::uint64_t own =
          sizes[memberOf.at(message.source)][memberOf.at(message.destination)];
      bytes += own > 0 && own <= replaced.largest ? own + blockHeader : 0;
    }
    return bytes;
  }

  void addStage(std::uint32_t stage) {
    const std::uint32_t first = builder.messages();
    for (std::uint32_t member = 0; member < members; ++member)
      if (const RankExchange *part = parts[member])
        for (const Transfer &transfer : part->stages[stage].sends)
          builder.send(member, memberOf.at(transfer.peer), bytesOf(*part, transfer), withoutSlots);
    builder.receiveFrom(first);
  }

  const std::uint32_t members;
  const std::vector<std::vector<std::uint64_t>> sizes;
  const std::vector<const RankExchange *> &parts;
  const ReplacedIrregular &replaced;
  std::unordered_map<int, std::uint32_t> memberOf;
  ScheduleBuilder builder;
};

} // namespace

Schedule routedSchedule(const IrregularPattern &pattern, const std::vector<int> &members,
                        const std::vector<const RankExchange *> &parts,
                        const ReplacedIrregular &replaced) {
  return RoutedSchedule(pattern, members, parts, replaced).make();
}

std::vector<const RankExchange *> partsOfMembers(const IrregularCollectives &planned,
                                                 const ReplacedIrregular &replaced) {
  const auto number = static_cast<std::uint32_t>(&replaced - planned.replaced.data());
  std::vector<const RankExchange *> parts;
  for (const int rank : replaced.calls.communicator.members) {
    const RankExchange *&own = parts.emplace_back(nullptr);
    if (static_cast<std::size_t>(rank) < planned.routes.size())
      for (const RankExchange &part : planned.routes[static_cast<std::size_t>(rank)])
        if (part.exchange == number)
          own = &part;
  }
  return parts;
}

Schedule writtenSchedule(const IrregularPattern &pattern, std::uint32_t members, bool pairwise) {
  if (!pairwise)
    return directSchedule(pattern, members);
  const auto sizes = sizesOf(pattern, members);
  ScheduleBuilder builder(members, SlotsKept::No);
  for (std::uint32_t distance = 1; distance < members; ++distance) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t from = 0; from < members; ++from) {
      const std::uint32_t to = (from + distance) % members;
      builder.send(from, to, sizes[from][to], withoutSlots);
    }
    builder.receiveFrom(step);
  }
  return builder.take();
}

} // namespace sendwright
