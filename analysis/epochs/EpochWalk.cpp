// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/EpochWalk.h"

#include "analysis/run/RankDriver.h"

#include <map>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// A rank that comes to a node wakes the rank at the other end of its message.
class UnbufferedExecution {
public:
  UnbufferedExecution(const CommunicationGraph &graph, const std::vector<NodeRange> &epoch)
      : graph(graph), driver(epoch.size()) {
    for (const NodeRange &range : epoch) {
      places.try_emplace(range.rank, cursors.size());
      cursors.push_back({range.first, range.last, noNode});
    }
  }

  bool run() {
    driver.run([&](std::size_t place) { return advance(cursors[place]); });
    return !driver.firstStuck();
  }

private:
  struct Cursor {
    Node next, last;
    Node announced; ///< the last node that woke the rank at its other end
  };

  RankProgress advance(Cursor &cursor) {
    if (cursor.next > cursor.last)
      return RankProgress::Ended;
    if (std::exchange(cursor.announced, cursor.next) != cursor.next)
      wakeOther(cursor.next);
    if (!isReady(cursor.next))
      return RankProgress::Blocked;
    ++cursor.next;
    return RankProgress::Advanced;
  }

  void wakeOther(Node node) {
    const NodeKind kind = graph.kind(node);
    if ((isSendKind(kind) || isReceiveKind(kind)) && graph.link[node] != noNode)
      if (const auto found = places.find(graph.rank(graph.link[node])); found != places.end())
        driver.wake(found->second);
  }

  bool isDone(Node node) const { return reached(node, 1); }
  /// `steps` 0: the rank has come to the node; 1: it has passed it. Nodes of other ranks are done
  /// before.
  bool reached(Node node, Node steps) const {
    const auto found = places.find(graph.rank(node));
    return found == places.end() || cursors[found->second].next >= node + steps;
  }
  bool isStarted(Node node) const {
    return reached(node, graph.kind(node) == NodeKind::Receive ||
                                 graph.kind(node) == NodeKind::Send ||
                                 graph.kind(node) == NodeKind::SynchronousSend
                             ? 0
                             : 1);
  }

  bool isReady(Node node) const {
    switch (graph.kind(node)) {
    case NodeKind::Send:
    case NodeKind::SynchronousSend:
    case NodeKind::Receive:
      return graph.rank(graph.link[node]) == graph.rank(node) ? isDone(graph.link[node])
                                                              : isStarted(graph.link[node]);
    case NodeKind::Wait: {
      bool ready = true;
      graph.forEachCompleted(node, [&](Node posted) {
        const NodeKind kind = graph.kind(posted);
        if ((kind == NodeKind::PostedReceive || kind == NodeKind::PostedSend ||
             kind == NodeKind::PostedSynchronousSend) &&
            graph.link[posted] != noNode)
          ready = ready && isStarted(graph.link[posted]);
      });
      return ready;
    }
    case NodeKind::Collective: // all members cannot come to a collective that is part of a circle
      return !graph.collectives[graph.link[node]].mayMeet;
    default:
      return true;
    }
  }

  const CommunicationGraph &graph;
  std::map<std::uint32_t, std::size_t> places; // of ranks in the epoch
  std::vector<Cursor> cursors;                 // by place
  RankDriver driver;                           // of places
};

} // namespace

bool endsUnbuffered(const CommunicationGraph &graph, const std::vector<NodeRange> &epoch) {
  return UnbufferedExecution(graph, epoch).run();
}

} // namespace sendwright
