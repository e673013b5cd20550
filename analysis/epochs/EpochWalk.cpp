// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/EpochWalk.h"

#include <map>

namespace sendwright {

namespace {

/// Ranks go on as far as they can. A rank that did something wakes the rank at its other end.
class UnbufferedExecution {
public:
  UnbufferedExecution(const CommunicationGraph &graph, const std::vector<NodeRange> &epoch)
      : graph(graph) {
    for (const NodeRange &range : epoch) {
      cursors[range.rank] = {range.first, range.last};
      turns.push_back(range.rank);
    }
  }

  bool run() {
    while (!turns.empty()) {
      const std::uint32_t rank = turns.back();
      turns.pop_back();
      Cursor &cursor = cursors[rank];
      while (cursor.next <= cursor.last) {
        wakeOther(cursor.next);
        if (!isReady(cursor.next))
          break;
        ++cursor.next;
        wakeOther(cursor.next - 1);
      }
    }
    for (const auto &[rank, cursor] : cursors)
      if (cursor.next <= cursor.last)
        return false;
    return true;
  }

private:
  struct Cursor {
    Node next, last;
  };

  void wakeOther(Node node) {
    const NodeKind kind = graph.kind(node);
    if ((isSendKind(kind) || isReceiveKind(kind)) && graph.link[node] != noNode) {
      const std::uint32_t other = graph.rank(graph.link[node]);
      if (auto found = cursors.find(other); found != cursors.end() && other != graph.rank(node) &&
                                            found->second.next <= found->second.last &&
                                            woken[other] != node) {
        woken[other] = node;
        turns.push_back(other);
      }
    }
  }

  bool isDone(Node node) const { return reached(node, 1); }
  /// `steps` 0: the rank has come to the node; 1: it has passed it. Nodes of other ranks are done
  /// before.
  bool reached(Node node, Node steps) const {
    auto found = cursors.find(graph.rank(node));
    return found == cursors.end() || found->second.next >= node + steps;
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
  std::map<std::uint32_t, Cursor> cursors;
  std::map<std::uint32_t, Node> woken;
  std::vector<std::uint32_t> turns;
};

} // namespace

bool endsUnbuffered(const CommunicationGraph &graph, const std::vector<NodeRange> &epoch) {
  return UnbufferedExecution(graph, epoch).run();
}

} // namespace sendwright
