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
    : profile(profile), locate(locate), communicators(profile), instancesOf(communicators.size()),
      done(communicators.size()) {}

std::uint32_t CollectiveSequences::communicator(std::uint32_t rank, int index) const {
  const std::uint32_t number = communicators.of(rank, index);
  return number == CommunicatorNumbers::none ? 0 : number;
}

std::uint32_t CollectiveSequences::call(std::uint32_t rank, const Event &event, Node node) {
  if (rank != currentRank) {
    currentRank = rank;
    std::fill(done.begin(), done.end(), 0);
  }
  const std::uint32_t number = communicator(rank, event.communicator);
  std::vector<std::uint32_t> &own = instancesOf[number];
  const std::uint32_t index = done[number]++;
  if (index == own.size()) {
    own.push_back(static_cast<std::uint32_t>(instances.size()));
    instances.push_back({number, event.function, event.peer, rank});
  }
  Instance &instance = instances[own[index]];
  const bool sameRoot = !rooted(mpiFunction(event.function).flow) || event.peer == instance.root;
  if (!communicators[number].intercommunicator &&
      (instance.function != event.function || !sameRoot))
    failDifferent(rank, node, event, instance);
  ++instance.callers;
  instance.blocks.add(event);
  return own[index];
}

void CollectiveSequences::beginPart() {
  for (std::vector<std::uint32_t> &own : instancesOf)
    own.clear();
  instances.clear();
  std::fill(done.begin(), done.end(), 0);
  currentRank = 0;
}

void CollectiveSequences::failDifferent(std::uint32_t rank, Node, const Event &event,
                                        const Instance &instance) {
  std::uint64_t position = 0;
  std::uint32_t left = done[instance.communicator];
  const RankProfile &run = profile.ranks[rank];
  run.sequence.forEach([&](std::uint32_t number) {
    const Event &each = run.events[number];
    if (each.kind == EventKind::Call && isCollective(mpiFunction(each.function).role) &&
        communicator(rank, each.communicator) == instance.communicator && --left == 0)
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
    const Communicator &communicator = communicators[instance.communicator];
    if (communicator.intercommunicator)
      continue;
    // In a text trace every communicator lists all ranks, whoever uses it. Only in the first are
    // all of them certain to be members.
    const std::size_t members = communicator.members.size();
    const bool lists = communicator.instance == 0 || members < profile.ranks.size();
    const std::uint32_t expected = lists ? static_cast<std::uint32_t>(members)
                                         : instances[instancesOf[instance.communicator][0]].callers;
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
    result.mayMeet = !communicators[instance.communicator].intercommunicator;
    if (result.mayMeet && !instance.blocks.areSparse())
      result.flow = mpiFunction(instance.function).flow;
    result.posted = mpiFunction(instance.function).role == MpiRole::NonblockingCollective;
    if (rooted(result.flow) && instance.root >= 0)
      result.root = static_cast<std::uint32_t>(instance.root);
    else if (rooted(result.flow))
      result.flow = CollectiveFlow::None; // a trace that does not name the root
    result.membersBegin = result.membersEnd = end;
    end += instance.callers;
  }
  graph.members.resize(end);
  for (Node node = 0; node < graph.nodes(); ++node)
    if (graph.kind(node) == NodeKind::Collective || graph.kind(node) == NodeKind::PostedCollective)
      graph.members[graph.collectives[graph.link[node]].membersEnd++] = node;
  // Members came by rank, but a scan passes data on in the order of the communicator.
  for (std::uint32_t each = 0; each < instances.size(); ++each) {
    const CollectiveInstance &instance = graph.collectives[each];
    if (instance.flow != CollectiveFlow::Prefix)
      continue;
    const std::vector<int> &order = communicators[instances[each].communicator].members;
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
