// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// epochOf holds what Tarjan's algorithm needs to know of a node: 0 for an unvisited node; while its
// component is open, the lowest index that the node reaches; finally its epoch, marked by the
// highest bit.

#include "analysis/epochs/Epochs.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr std::uint32_t finished = 1U << 31;

/// What a request waits for besides the node that posted it, or noNode.
Node postedPredecessor(const CommunicationGraph &graph, Node posted) {
  const std::uint32_t link = graph.link[posted];
  switch (graph.kind(posted)) {
  case NodeKind::PostedReceive:
  case NodeKind::PostedSend:
  case NodeKind::PostedSynchronousSend:
    return link == noNode ? noNode : graph.representative(link);
  case NodeKind::PostedCollective: // the instance stands between the members, so that the number of
                                   // arcs is not squared
    return graph.collectives[link].mayMeet ? graph.nodes() + link : noNode;
  default:
    return noNode;
  }
}

Node instancePredecessor(const CommunicationGraph &graph, Node representative, std::uint32_t arc) {
  const CollectiveInstance &instance = graph.collectives[representative - graph.nodes()];
  const std::uint32_t place = instance.membersBegin + arc;
  if (place >= instance.membersEnd)
    return noNode;
  return instance.posted ? graph.members[place] : graph.representative(graph.members[place] - 1);
}

Node waitPredecessor(const CommunicationGraph &graph, Node node, std::uint32_t arc) {
  Node found = noNode;
  bool done = false;
  graph.forEachCompleted(node, [&](Node posted) {
    if (done)
      return;
    const Node other = postedPredecessor(graph, posted);
    if (other == noNode || arc-- > 0)
      return;
    found = other;
    done = true;
  });
  return found;
}

bool isSentToItself(const CommunicationGraph &graph, Node representative) {
  return representative < graph.nodes() && graph.kind(representative) == NodeKind::Send &&
         graph.kind(graph.link[representative]) == NodeKind::Receive &&
         graph.rank(graph.link[representative]) == graph.rank(representative);
}

} // namespace

Node predecessor(const CommunicationGraph &graph, Node representative, std::uint32_t arc) {
  if (representative >= graph.nodes())
    return instancePredecessor(graph, representative, arc);
  const NodeType &own = graph.types[graph.type[representative]];
  if (own.kind == NodeKind::Start)
    return noNode;
  if (arc == 0)
    return graph.representative(representative - 1);
  if (own.exchange)
    return arc > 2 ? noNode : graph.representative(graph.link[representative + arc - 1]);
  switch (own.kind) {
  case NodeKind::Send:
  case NodeKind::SynchronousSend: {
    if (arc > 1)
      return noNode;
    const Node receive = graph.link[representative];
    return graph.representative(graph.kind(receive) == NodeKind::Receive ? receive - 1 : receive);
  }
  case NodeKind::Receive: // of a message that its sender posted or buffered
    return arc > 1 ? noNode : graph.representative(graph.link[representative]);
  case NodeKind::Wait:
    return waitPredecessor(graph, representative, arc - 1);
  default:
    return noNode;
  }
}

EpochFinder::EpochFinder(const CommunicationGraph &graph) : graph(graph) {
  epochs.epochOf.resize(graph.nodes() + graph.collectives.size());
  epochs.parts.reserve(epochs.epochOf.size()); // unused capacity takes no memory
  epochs.ofRank.assign(graph.ranks(), 0);
  partOf.assign(graph.ranks(), UINT32_MAX);
}

void EpochFinder::open(Node representative) {
  epochs.epochOf[representative] = ++nextIndex;
  path.push_back({representative, 0, nextIndex});
  component.push_back(representative);
}

/// The node's epoch is complete if the node reaches nothing below itself.
void EpochFinder::close(const Frame &frame) {
  if (epochs.epochOf[frame.node] != frame.index)
    return;
  const std::size_t begin = epochs.parts.size();
  const bool several = component.back() != frame.node;
  for (Node node = noNode; node != frame.node;) {
    node = component.back();
    component.pop_back();
    epochs.epochOf[node] = epochCount | finished;
    addParts(node, begin);
  }
  if (epochs.parts.size() > begin) { // not the start node of a rank
    epochs.parts[begin].first |= Epochs::firstOfEpoch;
    epochs.circular.push_back(several || isSentToItself(graph, frame.node));
  }
  ++epochCount;
  if (component.empty())
    nextIndex = 0;
}

/// Adds parts to the epoch whose parts begin at `begin`. If a rank's last part belongs to an
/// earlier epoch, the rank has no part in this epoch yet.
void EpochFinder::addParts(Node representative, std::size_t begin) {
  if (representative >= graph.nodes() && graph.collectives[representative - graph.nodes()].posted)
    epochs.parts.push_back({representative, representative});
  else if (representative >= graph.nodes() || graph.kind(representative) != NodeKind::Start)
    graph.forEachMember(representative, [&](Node node) {
      const std::uint32_t rank = graph.rank(node);
      std::uint32_t &place = partOf[rank];
      if (place < begin || place == UINT32_MAX) {
        ++epochs.ofRank[rank];
        place = static_cast<std::uint32_t>(epochs.parts.size());
        epochs.parts.push_back({node, node});
      }
      EpochPart &part = epochs.parts[place];
      part.first = std::min(part.first, node);
      part.last = std::max(part.last, node);
    });
}

void EpochFinder::visit(Node node) {
  const Node root = graph.representative(node);
  if (epochs.epochOf[root] != 0)
    return;
  open(root);
  while (!path.empty()) {
    Frame &top = path.back();
    const Node other = predecessor(graph, top.node, top.arc++);
    if (other == noNode) {
      const Frame done = top;
      path.pop_back();
      close(done);
      if (!path.empty())
        epochs.epochOf[path.back().node] =
            std::min(epochs.epochOf[path.back().node], epochs.epochOf[done.node]);
      continue;
    }
    const std::uint32_t known = epochs.epochOf[other];
    if (known == 0)
      open(other);
    else // a finished node is above every open index
      epochs.epochOf[top.node] = std::min(epochs.epochOf[top.node], known);
  }
}

} // namespace sendwright
