// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/RankSchedule.h"

#include "analysis/redistribution/MovementProtocol.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <algorithm>

namespace sendwright::redistribution {

namespace {

constexpr std::uint64_t usualStaging = std::uint64_t(4) << 20;

/// Bytes for packing on each side: the two sides together get half of the bound, as lists also need
/// memory.
std::uint64_t stagingWithin(std::uint64_t memoryBound) {
  return std::clamp<std::uint64_t>(memoryBound / 4, 2, usualStaging);
}

/// The rank's messages in one direction, for each peer; what stays goes to `kept`.
class Side {
public:
  Side(std::span<const ArrayMotion> arrays, bool sending, std::uint64_t memoryBound)
      : arrays(arrays), sending(sending), memoryBound(memoryBound) {}

  void collect(const std::vector<RankMessages> &messages, std::vector<PeerMessage> &peers,
               std::vector<MessagePart> &kept) const {
    std::vector<std::pair<int, MessagePart>> parts;
    std::vector<int> packed; // peers with a part packed at either end
    for (std::uint32_t array = 0; array < arrays.size(); ++array)
      for (const RankMessages::Entry &entry : messages[array].entries) {
        const MessagePart here = partOf(array, messages[array], entry, sending);
        if (entry.message.local()) {
          if (arrays[array].indices == Indices::Local) // otherwise it is where it belongs
            kept.push_back(here);
          continue;
        }
        const int peer = sending ? entry.message.destination : entry.message.source;
        parts.emplace_back(peer, here);
        if (here.spans() > 1 || partOf(array, messages[array], entry, !sending).spans() > 1)
          packed.push_back(peer);
      }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    std::sort(packed.begin(), packed.end());
    for (const auto &[peer, part] : parts) {
      if (peers.empty() || peers.back().peer != peer)
        peers.push_back(emptyMessage(peer, std::binary_search(packed.begin(), packed.end(), peer)));
      peers.back().parts.push_back(part);
      peers.back().bytes += part.bytes();
    }
  }

private:
  MessagePart partOf(std::uint32_t array, const RankMessages &messages,
                     const RankMessages::Entry &entry, bool atSender) const {
    const Distribution &there = atSender ? *arrays[array].from : *arrays[array].to;
    const int owner = atSender ? entry.message.source : entry.message.destination;
    std::vector<Room> shape(there.dimensions());
    for (std::size_t at = 0; at < shape.size(); ++at) {
      shape[at].indices = there.localSize(owner, at);
      if (arrays[array].indices == Indices::Global) {
        shape[at].indices = there.dimension(at).extent();
      } else if (!arrays[array].halo.empty()) {
        shape[at].before = arrays[array].halo[at].lower;
        shape[at].indices += shape[at].before + arrays[array].halo[at].upper;
      }
    }
    return makePart(array, atSender, messages, entry, shape, arrays[array].elementSize);
  }

  PeerMessage emptyMessage(int peer, bool isPacked) const {
    PeerMessage message;
    message.peer = peer;
    message.direct = !isPacked;
    message.chunkBytes = isPacked ? stagingWithin(memoryBound) / 2 : directChunkBytes;
    return message;
  }

  std::span<const ArrayMotion> arrays;
  bool sending;
  std::uint64_t memoryBound;
};

/// Puts messages, which are sorted by peer, into the given order. Returns false and changes nothing
/// if the order is not one of exactly these messages.
bool arrange(std::vector<PeerMessage> &messages, const std::vector<int> &order) {
  if (order.size() != messages.size())
    return false;
  std::vector<std::size_t> places;
  std::vector<bool> taken(messages.size());
  for (const int peer : order) {
    const auto found = std::lower_bound(
        messages.begin(), messages.end(), peer,
        [](const PeerMessage &message, int wanted) { return message.peer < wanted; });
    const auto place = static_cast<std::size_t>(found - messages.begin());
    if (found == messages.end() || found->peer != peer || taken[place])
      return false;
    taken[place] = true;
    places.push_back(place);
  }
  std::vector<PeerMessage> arranged;
  arranged.reserve(messages.size());
  for (const std::size_t place : places)
    arranged.push_back(std::move(messages[place]));
  messages = std::move(arranged);
  return true;
}

bool arrangeBoth(RankSchedule &schedule, const PeerOrder &order) {
  // Not only one of the two: the orders would then not belong to one whole.
  std::vector<PeerMessage> sends = schedule.sends;
  if (!arrange(sends, order.sends) || !arrange(schedule.receives, order.receives))
    return false;
  schedule.sends = std::move(sends);
  return true;
}

void stagger(RankSchedule &schedule, int rank, int ranks) {
  std::stable_sort(schedule.sends.begin(), schedule.sends.end(),
                   [=](const PeerMessage &a, const PeerMessage &b) {
                     return (a.peer - rank + ranks) % ranks < (b.peer - rank + ranks) % ranks;
                   });
  std::stable_sort(schedule.receives.begin(), schedule.receives.end(),
                   [=](const PeerMessage &a, const PeerMessage &b) {
                     return (rank - a.peer + ranks) % ranks < (rank - b.peer + ranks) % ranks;
                   });
}

std::size_t memoryOf(const RankSchedule &schedule) {
  std::size_t bytes = sizeof schedule;
  for (const auto *messages : {&schedule.sends, &schedule.receives})
    for (const PeerMessage &message : *messages)
      bytes += sizeof message + message.parts.capacity() * sizeof(MessagePart);
  for (const auto *side : {&schedule.outgoing, &schedule.incoming})
    for (const RankMessages &messages : *side) {
      for (const auto &shares : messages.shares)
        for (const DimensionShare &share : shares)
          bytes += sizeof share + share.runs.capacity() * sizeof(StridedRun);
      bytes += messages.entries.size() * (sizeof(RankMessages::Entry) + 16);
    }
  return bytes;
}

} // namespace

RankSchedule scheduleOf(int rank, int ranks, std::span<const ArrayMotion> arrays, unsigned kind,
                        const sendwright_schedule *known, std::uint64_t memoryBound) {
  RankSchedule schedule;
  for (const ArrayMotion &array : arrays) {
    schedule.outgoing.push_back(messagesFrom(rank, *array.from, *array.to, array.indices));
    schedule.incoming.push_back(messagesTo(rank, *array.from, *array.to, array.indices));
  }
  Side(arrays, true, memoryBound).collect(schedule.outgoing, schedule.sends, schedule.keptBefore);
  Side(arrays, false, memoryBound)
      .collect(schedule.incoming, schedule.receives, schedule.keptAfter);
  for (const MessagePart &part : schedule.keptBefore)
    schedule.keptBytes += part.bytes();
  std::optional<PeerOrder> order;
  for (; known && !order; known = known->next)
    order = knownOrder(rank, ranks, arrays, *known);
  if (!order)
    order = orderTogether(rank, ranks, arrays, kind);
  if (!order || !arrangeBoth(schedule, *order))
    stagger(schedule, rank, ranks);
  for (const auto *messages : {&schedule.sends, &schedule.receives})
    for (const PeerMessage &message : *messages)
      if (!message.direct)
        schedule.stagingBytes = stagingWithin(memoryBound);
  schedule.memory = memoryOf(schedule);
  return schedule;
}

} // namespace sendwright::redistribution
