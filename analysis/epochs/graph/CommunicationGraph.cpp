// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks through each rank's run once: a call becomes the nodes of its type, and requests are
// followed from the call that posts them to the call that completes them. Then messages are
// matched, and calls of collectives are joined by counting.

#include "analysis/epochs/graph/CommunicationGraph.h"

#include "analysis/epochs/graph/CollectiveSequences.h"
#include "analysis/epochs/graph/MessageChannels.h"
#include "analysis/trace/Matching.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sendwright {

namespace {

constexpr std::uint64_t maximumNodes = (std::uint64_t{1} << 31) - 1;

NodeKind kindOf(MpiRole role) {
  switch (role) {
  case MpiRole::Send:
    return NodeKind::Send;
  case MpiRole::BufferedSend:
    return NodeKind::BufferedSend;
  case MpiRole::ReadySend:
  case MpiRole::SynchronousSend:
    return NodeKind::SynchronousSend;
  case MpiRole::NonblockingSend:
    return NodeKind::PostedSend;
  case MpiRole::NonblockingBufferedSend:
    return NodeKind::PostedBufferedSend;
  case MpiRole::NonblockingReadySend:
  case MpiRole::NonblockingSynchronousSend:
    return NodeKind::PostedSynchronousSend;
  case MpiRole::Receive:
    return NodeKind::Receive;
  case MpiRole::NonblockingReceive:
    return NodeKind::PostedReceive;
  case MpiRole::MatchedReceive:
    return NodeKind::Receive;
  case MpiRole::Completion:
  case MpiRole::RequestFree:
  case MpiRole::Cancel:
    return NodeKind::Wait;
  case MpiRole::Collective:
  case MpiRole::NeighborCollective:
    return NodeKind::Collective;
  case MpiRole::NonblockingCollective:
    return NodeKind::PostedCollective;
  default:
    return NodeKind::Start; // no node
  }
}

/// The nodes of all calls of one rank that share an event.
struct EventShape {
  NodeKind kinds[3] = {};
  std::uint32_t nodes = 0;
  std::uint32_t firstType = 0;
  std::uint32_t channel = noNode; ///< of its message; for a Sendrecv, of the message that it sends
  std::uint32_t receiveChannel = noNode;
  bool wildcard = false;
};

class GraphBuilder {
public:
  GraphBuilder(const Profile &profile, const TraceLocation &locate)
      : profile(profile), locate(locate), collectives(profile, locate) {}

  CommunicationGraph build() {
    shapeEvents();
    for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank)
      collect(rank);
    graph.begin.push_back(graph.nodes());
    channels.match(graph);
    for (Node node = 0; node < graph.nodes(); ++node)
      if ((isSendKind(graph.kind(node)) || isReceiveKind(graph.kind(node))) &&
          graph.link[node] == noNode &&
          !std::binary_search(cancelled.begin(), cancelled.end(), node))
        failUnmatched(node);
    collectives.finish(graph);
    return std::move(graph);
  }

private:
  // Events.

  void shapeEvents() {
    std::uint64_t nodes = 0;
    shapes.resize(profile.ranks.size());
    for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
      const RankProfile &run = profile.ranks[rank];
      const std::vector<std::uint64_t> counts =
          run.sequence.occurrences(static_cast<std::uint32_t>(run.events.size()));
      ++nodes;
      startTypes.push_back(static_cast<std::uint32_t>(graph.types.size()));
      graph.types.push_back({NodeKind::Start, 0, false, rank, 0});
      for (std::uint32_t event = 0; event < run.events.size(); ++event) {
        shapes[rank].push_back(shape(rank, event));
        const std::uint64_t most = maximumNodes / 4;
        nodes += std::min(counts[event], most) * shapes[rank].back().nodes;
        if (nodes > maximumNodes)
          locate.fail("more than " + std::to_string(maximumNodes) +
                      " communication calls, expected fewer");
      }
    }
    graph.type.reserve(nodes);
    graph.link.reserve(nodes);
  }

  EventShape shape(std::uint32_t rank, std::uint32_t index) {
    const Event &event = profile.ranks[rank].events[index];
    EventShape result;
    result.firstType = static_cast<std::uint32_t>(graph.types.size());
    if (event.kind != EventKind::Call)
      return result;
    auto add = [&](NodeKind kind) { result.kinds[result.nodes++] = kind; };
    const MpiRole role = mpiFunction(event.function).role;
    const bool sends = sendsMessage(event), receives = receivesMessage(event);
    if (role == MpiRole::SendReceive) {
      if (sends && receives)
        for (NodeKind kind : {NodeKind::PostedReceive, NodeKind::PostedSend, NodeKind::Wait})
          add(kind);
      else if (sends || receives)
        add(sends ? NodeKind::Send : NodeKind::Receive);
    } else if (role == MpiRole::MatchedReceive && mpiFunction(event.function).request >= 0) {
      if (receives)
        add(NodeKind::PostedReceive);
    } else if (const NodeKind kind = kindOf(role);
               kind != NodeKind::Start &&
               (sends || receives || !(isSendKind(kind) || isReceiveKind(kind)))) {
      add(kind);
    }
    for (std::uint32_t part = 0; part < result.nodes; ++part)
      graph.types.push_back(
          {result.kinds[part], static_cast<std::uint8_t>(part), result.nodes == 3, rank, index});
    findChannels(rank, event, sends, receives, result);
    return result;
  }

  void findChannels(std::uint32_t rank, const Event &event, bool sends, bool receives,
                    EventShape &result) {
    const std::uint32_t communicator = collectives.communicator(rank, event.communicator);
    if (sends)
      result.channel =
          channels.number({rank, static_cast<std::uint32_t>(event.peer), communicator, event.tag});
    if (!receives)
      return;
    const bool both = mpiFunction(event.function).role == MpiRole::SendReceive;
    const int source = both ? event.receivePeer : event.peer;
    result.wildcard = source == anySource;
    (sends ? result.receiveChannel : result.channel) = receiveChannel(rank, event, nullptr);
  }

  /// The channel that a receive takes its message from; noNode if only `match` will tell.
  std::uint32_t receiveChannel(std::uint32_t rank, const Event &event, const WildcardMatch *match) {
    const bool both = mpiFunction(event.function).role == MpiRole::SendReceive;
    int source = both ? event.receivePeer : event.peer;
    int tag = both ? event.receiveTag : event.tag;
    for (const WildcardMatch &own : event.matches)
      if (!match && own.request < 0)
        match = &own;
    if (match && source == anySource)
      source = match->source;
    if (match && tag == anyTag)
      tag = match->tag;
    if (source < 0)
      return noNode;
    return channels.number({static_cast<std::uint32_t>(source), rank,
                            collectives.communicator(rank, event.communicator), tag});
  }

  // Runs.

  void collect(std::uint32_t rank) {
    const RankProfile &run = profile.ranks[rank];
    if (run.truncated)
      locate.fail(rank, run.sequence.length(),
                  "the recording stopped here, expected the whole run (record with a larger "
                  "SENDWRIGHT_RECORDING_MEMORY)");
    graph.begin.push_back(graph.nodes());
    add(startTypes[rank], noNode);
    open.clear();
    const std::vector<EventShape> &shapesOfRank = shapes[rank];
    run.sequence.forEach([&](std::uint32_t number) {
      const EventShape &shape = shapesOfRank[number];
      if (shape.nodes > 0)
        addCall(rank, run.events[number], shape);
      return true;
    });
  }

  Node add(std::uint32_t type, std::uint32_t link) {
    graph.type.push_back(type);
    graph.link.push_back(link);
    return graph.nodes() - 1;
  }

  void addCall(std::uint32_t rank, const Event &event, const EventShape &shape) {
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
    default:
      add(shape.firstType, shape.channel);
    }
  }

  void post(const Event &event, Node node) {
    for (int request : event.requests)
      open[request] = node;
  }

  void endRequests(std::uint32_t rank, const Event &event, const EventShape &shape) {
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
      if (role == MpiRole::Completion)
        graph.completed.push_back(found->second);
      open.erase(found);
    }
    if (graph.completed.size() == list)
      return;
    graph.completed.back() |= CommunicationGraph::lastCompleted;
    add(shape.firstType, list);
  }

  /// A wildcard receive learns which message it took.
  void settle(std::uint32_t rank, Node node, const WildcardMatch &match) {
    const NodeType &type = graph.types[graph.type[node]];
    if (type.kind == NodeKind::PostedReceive)
      graph.link[node] = receiveChannel(rank, profile.ranks[rank].events[type.event], &match);
  }

  void cancel(Node node) {
    graph.link[node] = noNode;
    cancelled.insert(std::upper_bound(cancelled.begin(), cancelled.end(), node), node);
  }

  // Errors.

  [[noreturn]] void failUnmatched(Node node) const {
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

  const Profile &profile;
  const TraceLocation &locate;
  CommunicationGraph graph;
  MessageChannels channels;
  CollectiveSequences collectives;
  std::vector<std::vector<EventShape>> shapes; // by rank and event
  std::vector<std::uint32_t> startTypes;       // by rank
  std::vector<Node> cancelled;                 // ascending
  std::unordered_map<int, Node> open;          // requests of the current rank
};

} // namespace

CommunicationGraph buildCommunicationGraph(const Profile &profile, const TraceLocation &locate) {
  return GraphBuilder(profile, locate).build();
}

std::uint64_t positionOf(const Profile &profile, const CommunicationGraph &graph, Node node) {
  const std::uint32_t rank = graph.rank(node);
  Node reached = graph.begin[rank] + 1;
  std::uint64_t position = 0;
  profile.ranks[rank].sequence.forEach([&](std::uint32_t event) {
    // Calls without a node (nothing to complete, MPI_PROC_NULL) do not match the next node's event.
    while (reached <= node && graph.types[graph.type[reached]].event == event) {
      const bool last =
          !graph.types[graph.type[reached]].exchange || graph.types[graph.type[reached]].part == 2;
      if (reached == node)
        return false;
      ++reached;
      if (last)
        break;
    }
    ++position;
    return true;
  });
  return position;
}

} // namespace sendwright
