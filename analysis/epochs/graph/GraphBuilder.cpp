// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/GraphBuilder.h"

#include "analysis/trace/Matching.h"

#include <algorithm>

namespace sendwright {

GraphBuilder::GraphBuilder(const Profile &profile, const TraceLocation &locate)
    : profile(profile), locate(locate), collectives(profile, locate),
      shapes(profile, locate, collectives, channels, graph.types), done(profile.ranks.size()) {}

CommunicationGraph GraphBuilder::whole() {
  graph.type.reserve(shapes.nodes());
  graph.link.reserve(shapes.nodes());
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    const RankProfile &run = profile.ranks[rank];
    if (run.truncated)
      locate.fail(rank, run.sequence.length(),
                  "the recording stopped here, expected the whole run (record with a larger "
                  "SENDWRIGHT_PROFILE_MEMORY)");
    begin(rank);
    const std::vector<EventShape> &shapesOfRank = shapes.ofRank(rank);
    run.sequence.forEach([&](std::uint32_t number) {
      const EventShape &shape = shapesOfRank[number];
      if (shape.nodes > 0)
        addCall(rank, run.events[number], shape);
      return true;
    });
  }
  graph.origin = graph.begin;
  finish();
  return std::move(graph);
}

const CommunicationGraph &
GraphBuilder::part(const std::vector<std::vector<std::uint32_t>> &events) {
  graph.type.clear();
  graph.link.clear();
  graph.begin.clear();
  graph.origin.clear();
  graph.completed.clear();
  graph.collectives.clear();
  graph.members.clear();
  collectives.beginPart();
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    begin(rank);
    graph.origin.push_back(graph.begin[rank] - done[rank]);
    const RankProfile &run = profile.ranks[rank];
    const std::vector<EventShape> &shapesOfRank = shapes.ofRank(rank);
    for (std::uint32_t number : events[rank])
      addCall(rank, run.events[number], shapesOfRank[number]);
    done[rank] += graph.nodes() - 1 - graph.begin[rank];
  }
  finish();
  return graph;
}

void GraphBuilder::begin(std::uint32_t rank) {
  graph.begin.push_back(graph.nodes());
  add(shapes.startType(rank), noNode);
  open.clear();
}

void GraphBuilder::finish() {
  graph.begin.push_back(graph.nodes());
  channels.match(graph);
  for (Node node = 0; node < graph.nodes(); ++node)
    if (graph.link[node] == noNode &&
        (isSendKind(graph.kind(node)) || isReceiveKind(graph.kind(node))) &&
        !std::binary_search(cancelled.begin(), cancelled.end(), node))
      failUnmatched(node);
  collectives.finish(graph);
}

Node GraphBuilder::add(std::uint32_t type, std::uint32_t link) {
  graph.type.push_back(type);
  graph.link.push_back(link);
  return graph.nodes() - 1;
}

void GraphBuilder::addCall(std::uint32_t rank, const Event &event, const EventShape &shape) {
  graph.wildcardReceives += shape.wildcard;
  if (shape.nodes == 3) {
    const Node receive = add(shape.firstType, shape.receiveChannel);
    const Node send = add(shape.firstType + 1, shape.channel);
    add(shape.firstType + 2, static_cast<std::uint32_t>(graph.completed.size()));
    graph.completed.insert(graph.completed.end(),
                           {receive, send | CommunicationGraph::lastCompleted});
    return;
  }
  switch (shape.kinds[0]) {
  case NodeKind::Wait:
    return endRequests(rank, event, shape);
  case NodeKind::Collective:
    add(shape.firstType, collectives.call(rank, event, graph.nodes()));
    return;
  case NodeKind::PostedCollective:
    post(event, add(shape.firstType, collectives.call(rank, event, graph.nodes())));
    return;
  case NodeKind::PostedSend:
  case NodeKind::PostedSynchronousSend:
  case NodeKind::PostedBufferedSend:
  case NodeKind::PostedReceive:
    post(event, add(shape.firstType, shape.channel));
    return;
  default: // MPI_Imrecv has a request, too: its completion tells which message it took
    post(event, add(shape.firstType, shape.channel));
  }
}

void GraphBuilder::post(const Event &event, Node node) {
  for (int request : event.requests)
    open[request] = node;
}

void GraphBuilder::endRequests(std::uint32_t rank, const Event &event, const EventShape &shape) {
  const MpiRole role = mpiFunction(event.function).role;
  for (const WildcardMatch &match : event.matches)
    if (auto found = open.find(match.request); found != open.end())
      settle(rank, found->second, match);
  const auto list = static_cast<std::uint32_t>(graph.completed.size());
  for (int request : event.requests) {
    auto found = open.find(request);
    if (found == open.end())
      continue;
    if (role == MpiRole::Cancel) {
      if (graph.kind(found->second) == NodeKind::PostedReceive)
        cancel(found->second);
      continue;
    }
    if (role == MpiRole::Completion && graph.kind(found->second) != NodeKind::Receive)
      graph.completed.push_back(found->second);
    open.erase(found);
  }
  if (graph.completed.size() == list)
    return;
  graph.completed.back() |= CommunicationGraph::lastCompleted;
  add(shape.firstType, list);
}

/// A wildcard receive learns which message it took.
void GraphBuilder::settle(std::uint32_t rank, Node node, const WildcardMatch &match) {
  const NodeType &type = graph.types[graph.type[node]];
  if (isReceiveKind(type.kind))
    graph.link[node] = shapes.receiveChannel(rank, profile.ranks[rank].events[type.event], &match);
}

void GraphBuilder::cancel(Node node) {
  graph.link[node] = noNode;
  cancelled.insert(std::upper_bound(cancelled.begin(), cancelled.end(), node), node);
}

void GraphBuilder::failUnmatched(Node node) const {
  const NodeType &type = graph.types[graph.type[node]];
  const Event &event = profile.ranks[type.rank].events[type.event];
  const std::uint64_t position = positionOf(profile, graph, node);
  if (isSendKind(type.kind))
    locate.fail(type.rank, position,
                "no receive takes this message from rank " + std::to_string(type.rank) +
                    " to rank " + std::to_string(event.peer) + ", expected one on rank " +
                    std::to_string(event.peer));
  const int source = type.exchange ? event.receivePeer : event.peer;
  if (source == anySource && event.matches.empty())
    locate.fail(type.rank, position,
                "no message is known for this receive from any source, expected the source that "
                "it took in the run (from= in a text trace)");
  locate.fail(type.rank, position,
              "no send matches this receive" +
                  (source >= 0 ? " from rank " + std::to_string(source) : "") + ", expected one");
}

} // namespace sendwright
