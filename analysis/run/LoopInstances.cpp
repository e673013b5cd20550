// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/LoopInstances.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

/// By loop and rank: the positions where the loop begins.
using LoopBegins = std::map<std::pair<int, std::uint32_t>, std::vector<std::uint32_t>>;

LoopBegins beginsOf(const Timeline &timeline, const std::map<int, Collective> &loops) {
  LoopBegins begins;
  for (std::uint32_t rank = 0; rank < timeline.ranks.size(); ++rank)
    for (std::uint32_t position = 0; position < timeline.ranks[rank].size(); ++position) {
      const Event &event = timeline.ranks[rank].at(position);
      if (event.kind == EventKind::SiteEnter && loops.contains(event.site))
        begins[{event.site, rank}].push_back(position);
    }
  return begins;
}

/// The end of a message that is in one of these loops.
const EventPosition *endInLoop(const Timeline &timeline, const std::map<int, Collective> &loops,
                               const MatchedMessage &message, int &site) {
  for (const bool receives : {false, true}) {
    const EventPosition &end = receives ? message.receive : message.send;
    if (end.position == noPosition)
      continue;
    const auto loop = loops.find(timeline.ranks[end.rank].at(end.position).site);
    if (loop == loops.end() || loopReceives(loop->second) != receives)
      continue;
    site = loop->first;
    return &end;
  }
  return nullptr;
}

/// Keeps the first entry of each rank.
void keepFirst(std::vector<EventPosition> &entries) {
  std::sort(entries.begin(), entries.end(), [](EventPosition left, EventPosition right) {
    return std::pair(left.rank, left.position) < std::pair(right.rank, right.position);
  });
  entries.erase(
      std::unique(entries.begin(), entries.end(),
                  [](EventPosition left, EventPosition right) { return left.rank == right.rank; }),
      entries.end());
}

} // namespace

bool hasRoot(Collective operation) {
  return operation == Collective::Broadcast || operation == Collective::Scatter ||
         operation == Collective::Gather || operation == Collective::Reduce;
}

bool loopReceives(Collective operation) {
  return operation == Collective::Gather || operation == Collective::Reduce;
}

std::map<int, std::vector<LoopInstance>> findLoopInstances(const Timeline &timeline,
                                                           const std::map<int, Collective> &loops) {
  std::map<int, std::vector<LoopInstance>> found;
  if (loops.empty())
    return found;
  LoopBegins begins = beginsOf(timeline, loops);
  for (std::uint32_t index = 0; index < timeline.messages.size(); ++index) {
    const MatchedMessage &message = timeline.messages[index];
    int site = noSite;
    const EventPosition *own = endInLoop(timeline, loops, message, site);
    if (!own)
      continue;
    const std::vector<std::uint32_t> &executions = begins[{site, own->rank}];
    const auto next = std::upper_bound(executions.begin(), executions.end(), own->position);
    if (next == executions.begin())
      continue;
    const auto number = static_cast<std::size_t>(next - executions.begin()) - 1;
    std::vector<LoopInstance> &instances = found[site];
    instances.resize(std::max(instances.size(), number + 1));
    LoopInstance &instance = instances[number];
    instance.messages.push_back(index);
    instance.entries.push_back(*own);
    const EventPosition &other = own == &message.send ? message.receive : message.send;
    if (hasRoot(loops.at(site)) && other.position != noPosition)
      instance.entries.push_back(other);
  }
  for (auto &[site, instances] : found)
    for (LoopInstance &instance : instances)
      keepFirst(instance.entries);
  return found;
}

} // namespace sendwright
