// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/CollectiveSequences.h"

#include <algorithm>
#include <numeric>

namespace sendwright {

namespace {

std::string nameOf(MpiFunctionId function) { return std::string(mpiFunction(function).name); }

bool rooted(CollectiveFlow flow) {
  return flow == CollectiveFlow::FromRoot || flow == CollectiveFlow::ToRoot;
}

} // namespace

CollectiveSequences::CollectiveSequences(const Profile &profile, const TraceLocation &locate)
    : profile(profile), locate(locate) {
  std::map<std::pair<std::vector<int>, unsigned>, std::uint32_t> known;
  numbers.resize(profile.ranks.size());
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
    for (const Communicator &communicator : profile.ranks[rank].communicators) {
      // The two sides of an intercommunicator see different local groups: all of them are one.
      auto key = communicator.intercommunicator
                     ? std::pair(std::vector<int>{}, 0U)
                     : std::pair(communicator.members.vector(), communicator.instance);
      auto [place, isNew] =
          known.try_emplace(std::move(key), static_cast<std::uint32_t>(groups.size()));
      numbers[rank].push_back(place->second);
      if (isNew)
        groups.push_back({communicator.members,
                          communicator.instance == 0 && !communicator.intercommunicator &&
                              communicator.members.size() == profile.ranks.size(),
                          communicator.intercommunicator,
                          {}});
    }
  done.resize(groups.size());
}

std::uint32_t CollectiveSequences::communicator(std::uint32_t rank, int index) const {
  const auto at = static_cast<std::size_t>(index);
  return at < numbers[rank].size() ? numbers[rank][at] : 0;
}

std::uint32_t CollectiveSequences::call(std::uint32_t rank, const Event &event, Node node) {
  if (rank != currentRank) {
    currentRank = rank;
    std::fill(done.begin(), done.end(), 0);
  }
  const std::uint32_t number = communicator(rank, event.communicator);
  Group &group = groups[number];
  const std::uint32_t index = done[number]++;
  if (index == group.instances.size()) {
    group.instances.push_back(static_cast<std::uint32_t>(instances.size()));
    instances.push_back({number, event.function, event.peer, rank, 0});
  }
  Instance &instance = instances[group.instances[index]];
  const bool sameRoot = !rooted(mpiFunction(event.function).flow) || event.peer == instance.root;
  if (!group.intercommunicator && (instance.function != event.function || !sameRoot))
    failDifferent(rank, node, event, instance);
  ++instance.callers;
  return group.instances[index];
}

void CollectiveSequences::failDifferent(std::uint32_t rank, Node, const Event &event,
                                        const Instance &instance) {
  std::uint64_t position = 0;
  std::uint32_t left = done[instance.group];
  const RankProfile &run = profile.ranks[rank];
  run.sequence.forEach([&](std::uint32_t number) {
    const Event &each = run.events[number];
    if (each.kind == EventKind::Call && isCollective(mpiFunction(each.function).role) &&
        communicator(rank, each.communicator) == instance.group && --left == 0)
      return false;
    ++position;
    return true;
  });
  const bool root = instance.function == event.function;
  locate.fail(rank, position,
              (root ? "root " + std::to_string(event.peer) : nameOf(event.function)) +
                  ", expected " +
                  (root ? "root " + std::to_string(instance.root) : nameOf(instance.function)) +
                  " as on rank " + std::to_string(instance.firstRank) +
                  ": collectives must be called in the same order by all");
}

void CollectiveSequences::checkComplete(const CommunicationGraph &graph) {
  for (std::uint32_t each = 0; each < instances.size(); ++each) {
    const Instance &instance = instances[each];
    const Group &group = groups[instance.group];
    if (group.intercommunicator)
      continue;
    // In a text trace every communicator lists all ranks, whoever uses it.
    const bool lists = group.everyone || group.members.size() < profile.ranks.size();
    const std::uint32_t expected = lists ? static_cast<std::uint32_t>(group.members.size())
                                         : instances[group.instances[0]].callers;
    if (instance.callers == expected)
      continue;
    for (Node node = 0; node < graph.nodes(); ++node)
      if ((graph.kind(node) == NodeKind::Collective ||
           graph.kind(node) == NodeKind::PostedCollective) &&
          graph.link[node] == each)
        locate.fail(graph.rank(node), positionOf(profile, graph, node),
                    nameOf(instance.function) + " is called by " +
                        std::to_string(instance.callers) + " of " + std::to_string(expected) +
                        " ranks, expected all of the communicator");
  }
}

void CollectiveSequences::finish(CommunicationGraph &graph) {
  checkComplete(graph);
  std::uint32_t end = 0;
  for (const Instance &instance : instances) {
    CollectiveInstance &result = graph.collectives.emplace_back();
    result.mayMeet = !groups[instance.group].intercommunicator;
    if (result.mayMeet)
      result.flow = mpiFunction(instance.function).flow;
    result.posted = mpiFunction(instance.function).role == MpiRole::NonblockingCollective;
    if (rooted(result.flow) && instance.root >= 0)
      result.root = static_cast<std::uint32_t>(instance.root);
    else if (rooted(result.flow))
      result.flow = CollectiveFlow::None; // a trace that does not tell the root
    result.membersBegin = result.membersEnd = end;
    end += instance.callers;
  }
  graph.members.resize(end);
  for (Node node = 0; node < graph.nodes(); ++node)
    if (graph.kind(node) == NodeKind::Collective || graph.kind(node) == NodeKind::PostedCollective)
      graph.members[graph.collectives[graph.link[node]].membersEnd++] = node;
  // Members came by rank; what a scan hands on goes by the order in the communicator.
  for (std::uint32_t each = 0; each < instances.size(); ++each) {
    const CollectiveInstance &instance = graph.collectives[each];
    if (instance.flow != CollectiveFlow::Prefix)
      continue;
    const std::vector<int> &order = groups[instances[each].group].members;
    auto place = [&](Node node) {
      return std::find(order.begin(), order.end(), static_cast<int>(graph.rank(node))) -
             order.begin();
    };
    std::sort(graph.members.begin() + instance.membersBegin,
              graph.members.begin() + instance.membersEnd,
              [&](Node first, Node second) { return place(first) < place(second); });
  }
}

} // namespace sendwright
