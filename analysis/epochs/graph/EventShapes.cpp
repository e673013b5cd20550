// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/EventShapes.h"

#include "analysis/trace/Matching.h"

#include <algorithm>

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

} // namespace

EventShapes::EventShapes(const Profile &profile, const TraceLocation &locate,
                         const CollectiveSequences &collectives, MessageChannels &channels,
                         std::vector<NodeType> &types)
    : profile(profile), collectives(collectives), channels(channels), types(types),
      shapes(profile.ranks.size()) {
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    const RankProfile &run = profile.ranks[rank];
    const std::vector<std::uint64_t> counts =
        run.sequence.occurrences(static_cast<std::uint32_t>(run.events.size()));
    ++allNodes;
    startTypes.push_back(static_cast<std::uint32_t>(types.size()));
    types.push_back({NodeKind::Start, 0, false, rank, 0});
    for (std::uint32_t event = 0; event < run.events.size(); ++event) {
      shapes[rank].push_back(shape(rank, event));
      const std::uint64_t most = maximumNodes / 4;
      allNodes += std::min(counts[event], most) * shapes[rank].back().nodes;
      if (allNodes > maximumNodes)
        locate.fail("more than " + std::to_string(maximumNodes) +
                    " communication calls, expected fewer");
    }
  }
}

EventShape EventShapes::shape(std::uint32_t rank, std::uint32_t index) {
  const Event &event = profile.ranks[rank].events[index];
  EventShape result;
  result.firstType = static_cast<std::uint32_t>(types.size());
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
  } else if (const NodeKind kind = kindOf(role);
             kind != NodeKind::Start &&
             (sends || receives || !(isSendKind(kind) || isReceiveKind(kind)))) {
    add(kind);
  }
  for (std::uint32_t part = 0; part < result.nodes; ++part)
    types.push_back(
        {result.kinds[part], static_cast<std::uint8_t>(part), result.nodes == 3, rank, index});
  findChannels(rank, event, sends, receives, result);
  return result;
}

void EventShapes::findChannels(std::uint32_t rank, const Event &event, bool sends, bool receives,
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

std::uint32_t EventShapes::receiveChannel(std::uint32_t rank, const Event &event,
                                          const WildcardMatch *match) const {
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

} // namespace sendwright
