// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message's knowledge travels as a reference to its sender's clock. If the receiver is already
// waiting, the knowledge is handed over at once, so that the sender's clock is not shared.

#include "analysis/epochs/graph/UnboundedExecution.h"

#include "analysis/epochs/graph/CollectiveSequences.h"
#include "analysis/epochs/graph/SparseClocks.h"
#include "analysis/run/RankDriver.h"

#include <algorithm>
#include <unordered_map>

namespace sendwright {

namespace {

class Execution {
public:
  Execution(const CommunicationGraph &graph, const std::function<void(Node)> &visit,
            RankKnowledge &knowledge)
      : graph(graph), visit(visit), clocks(knowledge.clocks), clockOf(knowledge.clockOf),
        cursor(graph.begin.begin(), graph.begin.end() - 1), announced(graph.ranks(), noNode),
        driver(graph.ranks(), TurnOrder::FirstWoken, turn), dependencies(graph.nodes()),
        instances(graph.collectives.size()) {}

  /// False if some rank never ends.
  bool run() {
    driver.run([&](std::size_t rank) { return advance(static_cast<std::uint32_t>(rank)); });
    return !driver.firstStuck();
  }

  bool ended(std::uint32_t rank) const { return driver.hasEnded(rank); }
  Node waiting(std::uint32_t rank) const { return cursor[rank]; }
  Dependencies takeDependencies() {
    if (underWay > 0) // some receives were never completed
      for (Node node = 0; node < graph.nodes(); ++node)
        if (isReceiveKind(graph.kind(node)) && graph.link[node] != noNode)
          dependencies[node] = dependencies[graph.link[node]];
    return std::move(dependencies);
  }

private:
  struct Instance {
    ClockId clock = 0; // FromRoot: the root's; ToRoot and AllToAll: of all members that came
    std::uint32_t arrived = 0, done = 0, taken = 0;
    std::uint32_t leading = 0; // Prefix: how many members, from the first on, are done
    bool rootIsDone = false;
  };

  static constexpr unsigned turn = 64; // nodes, so that no rank runs far ahead of the others

  bool isDone(Node node) const { return node < cursor[graph.rank(node)]; }
  bool isReached(Node node) const { return node <= cursor[graph.rank(node)]; }

  RankProgress advance(std::uint32_t rank) {
    const Node node = cursor[rank];
    if (node == graph.begin[rank + 1])
      return RankProgress::Ended;
    if (announced[rank] != node) {
      announced[rank] = node;
      announce(node);
    }
    if (!isReady(node))
      return RankProgress::Blocked;
    execute(rank, node);
    return RankProgress::Advanced;
  }

  /// Wakes ranks that may go on because this node was reached.
  void announce(Node node) {
    const NodeKind kind = graph.kind(node);
    if (kind == NodeKind::Receive) {
      const NodeKind sender = graph.kind(graph.link[node]);
      if (sender == NodeKind::SynchronousSend || sender == NodeKind::PostedSynchronousSend)
        driver.wake(graph.rank(graph.link[node]));
    } else if (kind == NodeKind::Collective) {
      const CollectiveInstance &instance = graph.collectives[graph.link[node]];
      if (++instances[graph.link[node]].arrived == instance.membersEnd - instance.membersBegin &&
          instance.flow == CollectiveFlow::AllToAll)
        wakeMembers(instance);
    }
  }

  void wakeMembers(const CollectiveInstance &instance) {
    for (std::uint32_t i = instance.membersBegin; i < instance.membersEnd; ++i)
      driver.wake(graph.rank(graph.members[i]));
  }

  // What a node waits for.

  bool isReady(Node node) const {
    switch (graph.kind(node)) {
    case NodeKind::SynchronousSend:
      return isPosted(graph.link[node]);
    case NodeKind::Receive:
      return isDone(graph.link[node]);
    case NodeKind::Wait: {
      bool ready = true;
      graph.forEachCompleted(node, [&](Node posted) { ready = ready && isComplete(posted); });
      return ready;
    }
    case NodeKind::Collective:
      return isCollectiveReady(node);
    default:
      return true;
    }
  }

  bool isPosted(Node receive) const {
    return graph.kind(receive) == NodeKind::Receive ? isReached(receive) : isDone(receive);
  }

  bool isComplete(Node posted) const {
    switch (graph.kind(posted)) {
    case NodeKind::PostedReceive:
      return graph.link[posted] == noNode || isDone(graph.link[posted]);
    case NodeKind::PostedSynchronousSend:
      return isPosted(graph.link[posted]);
    case NodeKind::PostedCollective:
      return isCollectiveReady(posted);
    default:
      return true;
    }
  }

  bool isCollectiveReady(Node node) const {
    const CollectiveInstance &instance = graph.collectives[graph.link[node]];
    const Instance &state = instances[graph.link[node]];
    const std::uint32_t members = instance.membersEnd - instance.membersBegin;
    const bool isRoot = graph.rank(node) == instance.root;
    switch (instance.flow) {
    case CollectiveFlow::AllToAll:
      return instance.posted ? state.done == members : state.arrived == members;
    case CollectiveFlow::FromRoot:
      return isRoot || state.rootIsDone;
    case CollectiveFlow::ToRoot:
      return !isRoot || state.done + (isDone(node) ? 0 : 1) == members;
    case CollectiveFlow::Prefix: {
      const auto begin = graph.members.begin() + instance.membersBegin;
      const auto firstMissing = begin + state.leading;
      return state.leading == members || *firstMissing == node ||
             (isDone(node) && std::find(begin, firstMissing, node) != firstMissing);
    }
    case CollectiveFlow::None:
      break;
    }
    return true;
  }

  // What becomes of it.

  void execute(std::uint32_t rank, Node node) {
    const NodeKind kind = graph.kind(node);
    cursor[rank] = node + 1;
    if (isSendKind(kind)) {
      send(rank, node, kind);
    } else if (kind == NodeKind::Receive) {
      receive(rank, node);
    } else if (kind == NodeKind::PostedReceive) {
      if (graph.link[node] != noNode)
        post(rank, node);
      else
        dependencies[node] = noDependency;
    } else if (kind == NodeKind::Wait) {
      graph.forEachCompleted(node, [&](Node posted) { complete(rank, posted); });
    } else if (kind == NodeKind::Collective || kind == NodeKind::PostedCollective) {
      collective(rank, node, kind == NodeKind::PostedCollective);
    }
    visit(node);
  }

  void send(std::uint32_t rank, Node node, NodeKind kind) {
    const Node receive = graph.link[node];
    const std::uint32_t receiver = graph.rank(receive);
    const std::uint32_t dependency = !mayOccupyBuffer(kind) ? noDependency
                                     : receiver == rank     ? graph.position(node)
                                                            : clocks.get(clockOf[rank], receiver);
    dependencies[node] = dependency;
    if (kind == NodeKind::SynchronousSend)
      learnPosted(rank, receive);
    if (cursor[receiver] == receive && graph.kind(receive) == NodeKind::Receive &&
        receiver != rank) {
      if (kind == NodeKind::PostedSynchronousSend)
        post(receiver, receive);
      learnFrom(receiver, clockOf[rank], rank, graph.position(node));
      cursor[receiver] = receive + 1;
      dependencies[receive] = dependency;
      visit(receive);
    } else {
      dependencies[receive] = clocks.copy(clockOf[rank]);
      ++underWay;
    }
    driver.wake(receiver);
  }

  void receive(std::uint32_t rank, Node node) {
    const Node sent = graph.link[node];
    const std::uint32_t sender = graph.rank(sent);
    arrive(rank, sent, node);
    if (graph.kind(sent) == NodeKind::PostedSynchronousSend)
      post(rank, node);
    driver.wake(sender);
  }

  /// The message's dependency replaces its clock.
  void arrive(std::uint32_t rank, Node sent, Node receive) {
    const ClockId clock = dependencies[receive];
    learnFrom(rank, clock, graph.rank(sent), graph.position(sent));
    clocks.release(clock);
    dependencies[receive] = dependencies[sent];
    --underWay;
  }

  /// Keeps what is known where a receive is posted, for the end of a synchronous send.
  void post(std::uint32_t rank, Node node) {
    const NodeKind sender = graph.kind(graph.link[node]);
    if (sender != NodeKind::SynchronousSend && sender != NodeKind::PostedSynchronousSend)
      return;
    clockWherePosted[node] = clocks.copy(clockOf[rank]);
    driver.wake(graph.rank(graph.link[node]));
  }

  void learnPosted(std::uint32_t rank, Node receive) {
    const std::uint32_t receiver = graph.rank(receive);
    if (receiver == rank)
      return;
    if (auto found = clockWherePosted.find(receive); found != clockWherePosted.end()) {
      learnFrom(rank, found->second, receiver, graph.position(receive));
      clocks.release(found->second);
      clockWherePosted.erase(found);
    } else if (cursor[receiver] == receive) { // the receiver waits there
      learnFrom(rank, clockOf[receiver], receiver, graph.position(receive) - 1);
    }
  }

  void complete(std::uint32_t rank, Node posted) {
    const NodeKind kind = graph.kind(posted);
    if (kind == NodeKind::PostedReceive && graph.link[posted] != noNode) {
      arrive(rank, graph.link[posted], posted);
    } else if (kind == NodeKind::PostedSynchronousSend) {
      learnPosted(rank, graph.link[posted]);
    } else if (kind == NodeKind::PostedCollective) {
      const CollectiveInstance &instance = graph.collectives[graph.link[posted]];
      if (instance.flow == CollectiveFlow::AllToAll || instance.flow == CollectiveFlow::FromRoot ||
          (instance.flow == CollectiveFlow::ToRoot && rank == instance.root))
        takeLast(graph.link[posted], rank);
    }
  }

  void learnFrom(std::uint32_t rank, ClockId clock, std::uint32_t other, std::uint32_t done) {
    clocks.learnAll(rank, clockOf[rank], clock);
    if (other != rank)
      clocks.learn(rank, clockOf[rank], other, done);
  }

  void collective(std::uint32_t rank, Node node, bool posted) {
    const CollectiveInstance &instance = graph.collectives[graph.link[node]];
    Instance &state = instances[graph.link[node]];
    ++state.done;
    switch (instance.flow) {
    case CollectiveFlow::AllToAll:
      if (posted) {
        give(state, rank, node);
        if (state.done == instance.membersEnd - instance.membersBegin)
          wakeMembers(instance);
        return;
      }
      if (state.done == 1) // all members wait here
        for (std::uint32_t i = instance.membersBegin; i < instance.membersEnd; ++i)
          give(state, graph.rank(graph.members[i]), graph.members[i]);
      take(state, rank);
      if (state.done == instance.membersEnd - instance.membersBegin)
        clocks.release(state.clock);
      return;
    case CollectiveFlow::FromRoot:
      if (rank == instance.root) {
        give(state, rank, node);
        state.rootIsDone = true;
        wakeMembers(instance);
      } else if (!posted) {
        take(state, rank);
      }
      return;
    case CollectiveFlow::ToRoot:
      if (rank != instance.root)
        give(state, rank, node);
      else if (!posted)
        take(state, rank);
      driver.wake(instance.root);
      return;
    case CollectiveFlow::Prefix: // knowledge through posted collectives is not followed: less is
                                 // known then
      if (!posted) {
        take(state, rank);
        give(state, rank, node);
      }
      goOnBehind(instance, state);
      return;
    case CollectiveFlow::None:
      return;
    }
  }

  /// In a collective by prefixes, wakes the members whose turn has come.
  void goOnBehind(const CollectiveInstance &instance, Instance &state) {
    const std::uint32_t members = instance.membersEnd - instance.membersBegin;
    const std::uint32_t before = state.leading;
    while (state.leading < members && isDone(graph.members[instance.membersBegin + state.leading]))
      ++state.leading;
    const std::uint32_t next = std::min(state.leading + 1, members);
    for (std::uint32_t i = before; i < next; ++i) // the waits of posted collectives, and the next
                                                  // member
      driver.wake(graph.rank(graph.members[instance.membersBegin + i]));
  }

  void takeLast(std::uint32_t number, std::uint32_t rank) {
    Instance &state = instances[number];
    take(state, rank);
    const CollectiveInstance &instance = graph.collectives[number];
    if (++state.taken == instance.membersEnd - instance.membersBegin)
      clocks.release(state.clock);
  }

  void give(Instance &state, std::uint32_t rank, Node node) {
    clocks.learnAll(SparseClocks::nobody, state.clock, clockOf[rank]);
    clocks.learn(SparseClocks::nobody, state.clock, rank, graph.position(node));
  }

  void take(Instance &state, std::uint32_t rank) {
    clocks.learnAll(rank, clockOf[rank], state.clock);
  }

  const CommunicationGraph &graph;
  const std::function<void(Node)> &visit;
  SparseClocks &clocks;
  std::vector<ClockId> &clockOf; // by rank
  std::vector<Node> cursor;      // by rank: its next node
  std::vector<Node> announced;
  RankDriver driver;
  // For receives, the clock of their message while it is under way; for sends, the value for their
  // receive.
  Dependencies dependencies;
  std::uint64_t underWay = 0;
  std::vector<Instance> instances;
  std::unordered_map<Node, ClockId> clockWherePosted;
};

const char *waitsFor(NodeKind kind) {
  return kind == NodeKind::Receive           ? "this receive waits for a message"
         : kind == NodeKind::SynchronousSend ? "this synchronous send waits for its receive"
         : kind == NodeKind::Wait            ? "this call waits for a request"
                                             : "this collective waits for another rank";
}

} // namespace

Dependencies executeUnbounded(const CommunicationGraph &graph, const Profile &profile,
                              const TraceLocation &locate, const std::function<void(Node)> &visit) {
  RankKnowledge knowledge(graph.ranks());
  return executeUnbounded(graph, profile, locate, visit, knowledge);
}

Dependencies executeUnbounded(const CommunicationGraph &graph, const Profile &profile,
                              const TraceLocation &locate, const std::function<void(Node)> &visit,
                              RankKnowledge &knowledge) {
  Execution execution(graph, visit, knowledge);
  if (execution.run())
    return execution.takeDependencies();
  std::string others;
  std::uint32_t first = UINT32_MAX, count = 0;
  for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
    if (execution.ended(rank))
      continue;
    if (first == UINT32_MAX)
      first = rank;
    else if (++count <= 3)
      others += (count == 1 ? " (as do " : "; ") +
                locate.describe(rank, positionOf(profile, graph, execution.waiting(rank)));
  }
  if (count > 3)
    others += "; and " + std::to_string(count - 3) + " more ranks";
  if (count > 0)
    others += ")";
  const Node node = execution.waiting(first);
  locate.fail(first, positionOf(profile, graph, node),
              std::string(waitsFor(graph.kind(node))) + " that never comes" + others +
                  ": expected a run that can happen, even with buffers for every message");
}

} // namespace sendwright
