// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/analysis/epochs/ModelExecutor.h"

#include "analysis/epochs/steps/BoundaryTokens.h"
#include "analysis/run/RankDriver.h"

#include <algorithm>
#include <random>

namespace sendwright {

namespace {

enum class Message : std::uint8_t { NotSent, AtSender, Buffered, Delivered };

class Model {
public:
  Model(const EpochAnalysis &analysis, const std::vector<std::uint32_t> &buffers,
        std::optional<SynchronizationKind> synchronization, std::uint64_t seed,
        CollectiveWaits waits)
      : analysis(analysis), graph(analysis.graph), buffers(buffers),
        synchronization(synchronization), random(seed), waits(waits), driver(graph.ranks()),
        cursor(graph.begin.begin(), graph.begin.end() - 1), parts(graph.ranks()),
        inUse(graph.ranks()), messages(graph.nodes()), started(graph.nodes()) {
    result.mostInUse.resize(graph.ranks());
    if (synchronization == SynchronizationKind::Component)
      tokens.emplace(analysis);
  }

  ModelExecution run() {
    std::vector<std::uint32_t> order(graph.ranks());
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank)
      order[rank] = rank;
    const auto step = [&](std::size_t rank) { return advance(static_cast<std::uint32_t>(rank)); };
    for (bool progress = true; progress;) {
      progress = false;
      std::shuffle(order.begin(), order.end(), random);
      for (std::uint32_t rank : order)
        progress |= driver.turn(rank, step, random() % 4 + 1) > 0;
      bufferWaiting();
    }
    result.ended = !driver.firstStuck();
    return std::move(result);
  }

private:
  // Synchronisation.

  const std::vector<RankSuperEpoch> &partsOf(std::uint32_t rank) const {
    return analysis.superEpochs.ranks[rank];
  }

  /// The rank has done everything that belongs to super epochs before this one.
  bool isBehind(std::uint32_t rank, std::uint32_t superEpoch) const {
    const std::uint32_t done = cursor[rank] - graph.begin[rank];
    for (std::size_t i = parts[rank]; i < partsOf(rank).size(); ++i) {
      if (partsOf(rank)[i].superEpoch >= superEpoch)
        return true;
      if (done <= partsOf(rank)[i].end)
        return false;
    }
    return true;
  }

  bool waitsFor(const RankSuperEpoch &part, std::uint32_t other) const {
    if (synchronization != SynchronizationKind::Partial)
      return synchronization == SynchronizationKind::Full;
    const std::vector<RankSuperEpoch> &list = partsOf(other);
    auto found = std::lower_bound(list.begin(), list.end(), part.superEpoch,
                                  [](const RankSuperEpoch &each, std::uint32_t superEpoch) {
                                    return each.superEpoch < superEpoch;
                                  });
    return found != list.end() && found->superEpoch == part.superEpoch;
  }

  /// If components synchronise: whether the receiver has come to the super epoch in which the node
  /// sends to it.
  bool maySend(std::uint32_t rank, Node node) const {
    if (synchronization != SynchronizationKind::Component || !mayOccupyBuffer(graph.kind(node)))
      return true;
    const std::uint32_t receiver = graph.rank(graph.link[node]);
    return receiver == rank || !needsToken(rank, node) ||
           isBehind(receiver, partsOf(rank)[parts[rank]].superEpoch);
  }

  /// What belongs before this super epoch is done, except perhaps the last node, which the rank has
  /// begun: if it is a receive, its message has left its buffer.
  bool hasBegunAllBefore(std::uint32_t rank, std::uint32_t superEpoch) const {
    const std::vector<RankSuperEpoch> &list = partsOf(rank);
    std::uint32_t before = 0;
    for (const RankSuperEpoch &part : list)
      if (part.superEpoch < superEpoch)
        before = part.end;
    return before == 0 || started[graph.begin[rank] + before];
  }

  bool isEarly(std::uint32_t rank, Node node) const {
    if (!synchronization || !mayOccupyBuffer(graph.kind(node)))
      return false;
    const Node receive = graph.link[node];
    return graph.rank(receive) != rank && analysis.dependencies[receive] != noDependency &&
           !hasBegunAllBefore(graph.rank(receive), partsOf(rank)[parts[rank]].superEpoch);
  }

  bool needsToken(std::uint32_t rank, Node node) const {
    if (!tokens)
      return false;
    const auto awaited = tokens->awaitedBy(rank);
    const std::uint32_t superEpoch = partsOf(rank)[parts[rank]].superEpoch;
    return std::any_of(awaited.begin(), awaited.end(), [&](const BoundaryToken &token) {
      return token.position == graph.position(node) && token.superEpoch == superEpoch;
    });
  }

  /// Whether the rank's next node belongs to its current super epoch, after the rank has gone on to
  /// the next super epoch if it may.
  bool mayGoOn(std::uint32_t rank) {
    if (!synchronization)
      return true;
    const std::uint32_t done = cursor[rank] - graph.begin[rank];
    const std::vector<RankSuperEpoch> &list = partsOf(rank);
    while (parts[rank] < list.size() && done > list[parts[rank]].end) {
      if (parts[rank] + 1 == list.size())
        return true;
      const RankSuperEpoch &next = list[parts[rank] + 1];
      for (std::uint32_t other = 0; other < graph.ranks(); ++other)
        if (other != rank && waitsFor(next, other) && !isBehind(other, next.superEpoch))
          return false;
      ++parts[rank];
    }
    return true;
  }

  /// The same before a rank's first super epoch, if it is not the first of all.
  bool mayBegin(std::uint32_t rank) {
    if (!synchronization || partsOf(rank).empty() || cursor[rank] != graph.begin[rank] + 1 ||
        partsOf(rank)[0].superEpoch == 0)
      return true;
    for (std::uint32_t other = 0; other < graph.ranks(); ++other)
      if (other != rank && waitsFor(partsOf(rank)[0], other) &&
          !isBehind(other, partsOf(rank)[0].superEpoch))
        return false;
    return true;
  }

  // Steps.

  RankProgress advance(std::uint32_t rank) {
    if (cursor[rank] == graph.begin[rank + 1])
      return RankProgress::Ended;
    const Node node = cursor[rank];
    if (!started[node]) {
      if (!mayBegin(rank) || !mayGoOn(rank) || !maySend(rank, node))
        return RankProgress::Blocked;
      started[node] = true;
      result.sentEarly |= isEarly(rank, node);
      start(node);
      return RankProgress::Advanced;
    }
    if (!isComplete(node))
      return RankProgress::Blocked;
    ++cursor[rank];
    return RankProgress::Advanced;
  }

  void start(Node node) {
    const NodeKind kind = graph.kind(node);
    if (isSendKind(kind)) {
      messages[node] = started[graph.link[node]] ? Message::Delivered : Message::AtSender;
      if (messages[node] == Message::AtSender && (kind == NodeKind::Send || random() % 2 == 0))
        result.senderWaited |= !buffer(node) && kind == NodeKind::Send;
    } else if (isReceiveKind(kind) && graph.link[node] != noNode) {
      Message &message = messages[graph.link[node]];
      if (message == Message::Buffered)
        --inUse[graph.rank(node)];
      if (message != Message::NotSent)
        message = Message::Delivered;
    }
  }

  bool buffer(Node send) {
    const std::uint32_t receiver = graph.rank(graph.link[send]);
    if (!mayOccupyBuffer(graph.kind(send)) || inUse[receiver] >= buffers[receiver])
      return false;
    messages[send] = Message::Buffered;
    ++inUse[receiver];
    result.mostInUse[receiver] = std::max(result.mostInUse[receiver], inUse[receiver]);
    return true;
  }

  /// MPI moves messages of non-blocking sends at any time.
  void bufferWaiting() {
    if (random() % 2 == 0)
      return;
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank)
      for (Node node = graph.begin[rank]; node < cursor[rank]; ++node)
        if (graph.kind(node) == NodeKind::PostedSend && messages[node] == Message::AtSender)
          buffer(node);
  }

  bool isDone(Node node) const { return node < cursor[graph.rank(node)]; }
  bool isDelivered(Node send) const { return messages[send] == Message::Delivered; }
  bool hasLeft(Node send) {
    return isDelivered(send) || messages[send] == Message::Buffered || buffer(send);
  }

  bool isComplete(Node node) {
    switch (graph.kind(node)) {
    case NodeKind::Send:
      return hasLeft(node);
    case NodeKind::SynchronousSend:
      return isDelivered(node);
    case NodeKind::Receive:
      return isDelivered(graph.link[node]);
    case NodeKind::Wait: {
      bool complete = true;
      graph.forEachCompleted(node, [&](Node posted) { complete &= isRequestComplete(posted); });
      return complete;
    }
    case NodeKind::Collective:
      return isCollectiveComplete(node);
    default:
      return true;
    }
  }

  bool isRequestComplete(Node posted) {
    switch (graph.kind(posted)) {
    case NodeKind::PostedSend:
      return hasLeft(posted);
    case NodeKind::PostedSynchronousSend:
      return isDelivered(posted);
    case NodeKind::PostedReceive:
      return graph.link[posted] == noNode || isDelivered(graph.link[posted]);
    case NodeKind::PostedCollective:
      return isCollectiveComplete(posted);
    default:
      return true;
    }
  }

  bool isCollectiveComplete(Node node) const {
    const CollectiveInstance &instance = graph.collectives[graph.link[node]];
    const bool isRoot = graph.rank(node) == instance.root;
    for (std::uint32_t i = instance.membersBegin; i < instance.membersEnd; ++i) {
      const Node member = graph.members[i];
      if (instance.flow == CollectiveFlow::Prefix && member == node &&
          waits == CollectiveWaits::ForData)
        return true;
      const bool waited =
          (instance.mayMeet && waits == CollectiveWaits::ForAllMembers) ||
          instance.flow == CollectiveFlow::AllToAll || instance.flow == CollectiveFlow::Prefix ||
          (instance.flow == CollectiveFlow::ToRoot && isRoot) ||
          (instance.flow == CollectiveFlow::FromRoot && graph.rank(member) == instance.root);
      if (waited && !started[member])
        return false;
    }
    return true;
  }

  const EpochAnalysis &analysis;
  const CommunicationGraph &graph;
  const std::vector<std::uint32_t> &buffers;
  std::optional<SynchronizationKind> synchronization;
  std::optional<BoundaryTokens> tokens;
  std::mt19937_64 random;
  CollectiveWaits waits;
  ModelExecution result;
  RankDriver driver;
  std::vector<Node> cursor;       // by rank
  std::vector<std::size_t> parts; // by rank: its super epoch
  std::vector<std::uint32_t> inUse;
  std::vector<Message> messages; // by send
  std::vector<bool> started;     // by node
};

} // namespace

ModelExecution executeModel(const EpochAnalysis &analysis,
                            const std::vector<std::uint32_t> &buffers,
                            std::optional<SynchronizationKind> synchronization, std::uint64_t seed,
                            CollectiveWaits waits) {
  return Model(analysis, buffers, synchronization, seed, waits).run();
}

} // namespace sendwright
