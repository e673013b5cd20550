// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communication graph of a run: what each rank does in its program's order, and who waits for
// whom.
//
// A node is a call that sends, receives, completes a request or takes part in a collective. A
// Sendrecv is three nodes: its receive is posted, its message sent, both are completed. Calls that
// do not communicate, and messages to and from MPI_PROC_NULL, have no nodes. Every rank begins with
// a start node, so the predecessor of a node always has the number before.
//
// Two sets of arcs lie over the nodes:
// - arcs that always hold, however many buffers there are: a message is received after it was sent,
//   a synchronous send ends after its receive was posted, a collective needs its data;
// - arcs that may also hold if no message is buffered: a send ends after its receive was posted,
//   and no rank leaves a collective before all ranks of its communicator have come, as MPI allows.
//
// Nodes that wait for each other are one node: a blocking send and its blocking receive, a Sendrecv
// with itself, and all members of a blocking collective. So a synchronisation never comes before a
// collective at one member and after it at another.
//
// Follows the communication graphs of J. Pedersen, A. Brodsky and J. Sampson (J. Sampson, Buffer
// allocation in message passing systems, UNLV 2007), which have blocking sends and receives only.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_COMMUNICATIONGRAPH_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_COMMUNICATIONGRAPH_H

#include "analysis/trace/Profile.h"
#include "analysis/trace/TraceLocation.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// A node, numbered over all ranks: the nodes of rank r are consecutive, in its program's order.
using Node = std::uint32_t;
inline constexpr Node noNode = UINT32_MAX;

enum class NodeKind : std::uint8_t {
  Start,
  Send,            ///< ends when its message is buffered or its receive is posted
  SynchronousSend, ///< ends when its receive is posted (for a ready send: already)
  BufferedSend,    ///< ends at once: the program provided the buffer
  PostedSend,
  PostedSynchronousSend,
  PostedBufferedSend,
  Receive,
  PostedReceive,
  Wait, ///< completes requests
  Collective,
  PostedCollective
};

bool isSendKind(NodeKind kind);
bool isReceiveKind(NodeKind kind);
/// True for sends whose message may lie in a buffer of the receiver.
bool mayOccupyBuffer(NodeKind kind);

/// What nodes that stem from equal calls of one rank share.
struct NodeType {
  NodeKind kind = NodeKind::Start;
  std::uint8_t part = 0; ///< of a Sendrecv: 0 receive, 1 send, 2 completion
  bool exchange = false; ///< part of a Sendrecv that both sends and receives
  std::uint32_t rank = 0;
  std::uint32_t event = 0; ///< index into RankProfile::events
};

/// One collective call of all members of a communicator.
struct CollectiveInstance {
  CollectiveFlow flow = CollectiveFlow::None;
  bool posted = false; ///< a non-blocking collective
  /// MPI may hold each member until all have come. False for intercommunicators, whose sides are
  /// not told apart.
  bool mayMeet = false;
  std::uint32_t membersBegin = 0;  ///< index into CommunicationGraph::members
  std::uint32_t membersEnd = 0;    ///< in the communicator's order
  std::uint32_t root = UINT32_MAX; ///< for FromRoot and ToRoot: a world rank
};

struct CommunicationGraph {
  std::vector<NodeType> types;
  std::vector<std::uint32_t> type; ///< by node: index into `types`
  /// By node. For a send, the node that posts its receive. For a receive, its send (noNode:
  /// cancelled). For a wait, where its list in `completed` begins. For a collective, its instance.
  std::vector<std::uint32_t> link;
  std::vector<Node> begin; ///< by rank: its start node; one more entry, the number of nodes
  /// By rank: where its positions count from. Its start node, less what it has done in earlier
  /// parts of a run that is analysed in parts (modulo 2^32).
  std::vector<Node> origin;
  std::vector<Node> completed; ///< posting nodes; the last of each list carries lastCompleted
  std::vector<CollectiveInstance> collectives;
  std::vector<Node> members;          ///< of all collectives
  std::uint64_t messages = 0;         ///< number of matched messages
  std::uint64_t wildcardReceives = 0; ///< matched by the source that the run recorded

  static constexpr std::uint32_t lastCompleted = 1U << 31;

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(begin.size() - 1); }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(type.size()); }
  NodeKind kind(Node node) const { return types[type[node]].kind; }
  std::uint32_t rank(Node node) const { return types[type[node]].rank; }
  /// How many nodes of its rank are done when this node is; 0 for the start node.
  std::uint32_t position(Node node) const { return node - origin[rank(node)]; }

  /// How many of a rank's nodes behind its first `done` belong to its next event, if that is
  /// `event`: 0 if the event does not communicate. Equal events may differ in this (a wait for
  /// requests that are complete). Constant time.
  std::uint32_t nodesOfNext(std::uint32_t rank, std::uint32_t done, std::uint32_t event) const;
  /// The node that stands for all nodes that are one with `node`: a node, or a number from nodes()
  /// on for a collective. Constant time.
  Node representative(Node node) const;
  /// Calls `visit` with each node that `representative` stands for.
  template <typename Visit> void forEachMember(Node representative, Visit visit) const;
  /// Calls `visit` with each node that a wait completes.
  template <typename Visit> void forEachCompleted(Node wait, Visit visit) const;
};

/// Reads the whole run. Throws FormatError, at the place that `locate` names, if the run was
/// truncated, a message was never received or never sent, the source of a wildcard receive was not
/// recorded, or the ranks of a communicator call different collectives. Linear in the run; eight
/// bytes for each call besides the types, and four more during matching.
CommunicationGraph buildCommunicationGraph(const Profile &profile, const TraceLocation &locate);

// The rest is defined here for speed.

inline bool isSendKind(NodeKind kind) {
  return kind >= NodeKind::Send && kind <= NodeKind::PostedBufferedSend;
}

inline bool isReceiveKind(NodeKind kind) {
  return kind == NodeKind::Receive || kind == NodeKind::PostedReceive;
}

inline bool mayOccupyBuffer(NodeKind kind) {
  return kind == NodeKind::Send || kind == NodeKind::PostedSend;
}

inline std::uint32_t CommunicationGraph::nodesOfNext(std::uint32_t rank, std::uint32_t done,
                                                     std::uint32_t event) const {
  const Node next = begin[rank] + done + 1;
  if (next >= begin[rank + 1])
    return 0;
  const NodeType &own = types[type[next]];
  return own.event != event ? 0 : own.exchange ? 3 : 1;
}

inline Node CommunicationGraph::representative(Node node) const {
  const NodeType &own = types[type[node]];
  if (own.exchange)
    return node - own.part;
  if (own.kind == NodeKind::Receive && link[node] != noNode) {
    const NodeKind sender = kind(link[node]);
    return sender == NodeKind::Send || sender == NodeKind::SynchronousSend ? link[node] : node;
  }
  if (own.kind == NodeKind::Collective && collectives[link[node]].mayMeet)
    return nodes() + link[node];
  return node;
}

template <typename Visit>
void CommunicationGraph::forEachMember(Node representative, Visit visit) const {
  if (representative >= nodes()) {
    const CollectiveInstance &instance = collectives[representative - nodes()];
    if (!instance.posted)
      for (std::uint32_t i = instance.membersBegin; i < instance.membersEnd; ++i)
        visit(members[i]);
    return;
  }
  visit(representative);
  const NodeType &own = types[type[representative]];
  if (own.exchange) {
    visit(representative + 1);
    visit(representative + 2);
  } else if ((own.kind == NodeKind::Send || own.kind == NodeKind::SynchronousSend) &&
             kind(link[representative]) == NodeKind::Receive) {
    visit(link[representative]);
  }
}

template <typename Visit> void CommunicationGraph::forEachCompleted(Node wait, Visit visit) const {
  if (link[wait] == noNode)
    return;
  for (const Node *entry = completed.data() + link[wait];; ++entry) {
    visit(*entry & ~lastCompleted);
    if (*entry & lastCompleted)
      return;
  }
}

} // namespace sendwright

#endif
