// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/AlltoallvMovement.h"

#include <algorithm>
#include <climits>

namespace sendwright::redistribution {

namespace {

/// The bytes of a message that the round beginning at `begin` exchanges.
std::uint64_t bytesInRound(const PeerMessage &message, std::uint64_t begin, std::uint64_t perPeer) {
  return message.bytes <= begin ? 0 : std::min(perPeer, message.bytes - begin);
}

std::uint64_t sumInRound(const std::vector<PeerMessage> &messages, std::uint64_t begin,
                         std::uint64_t perPeer) {
  std::uint64_t sum = 0;
  for (const PeerMessage &message : messages)
    sum += bytesInRound(message, begin, perPeer);
  return sum;
}

void fillCounts(const std::vector<PeerMessage> &messages, std::uint64_t begin,
                std::uint64_t perPeer, std::vector<int> &counts, std::vector<int> &places) {
  std::fill(counts.begin(), counts.end(), 0);
  int place = 0;
  for (const PeerMessage &message : messages) {
    const auto peer = static_cast<std::size_t>(message.peer);
    counts[peer] = static_cast<int>(bytesInRound(message, begin, perPeer));
    places[peer] = place;
    place += counts[peer];
  }
}

} // namespace

std::uint64_t largestMessage(const RankSchedule &schedule) {
  std::uint64_t largest = 0;
  for (const auto *messages : {&schedule.sends, &schedule.receives})
    for (const PeerMessage &message : *messages)
      largest = std::max(largest, message.bytes);
  return largest;
}

AlltoallvBuffers::AlltoallvBuffers(const PrivateGroup &group, const RankSchedule &schedule)
    : group(group) {
  const auto ranks = static_cast<std::uint64_t>(group.ranks);
  perPeer =
      std::max<std::uint64_t>(std::min<std::uint64_t>(INT_MAX, group.memoryBound / 4) / ranks, 1);
  for (std::vector<int> *list : {&sendCounts, &receiveCounts, &sendPlaces, &receivePlaces})
    list->resize(ranks);
  packed.resize(sumInRound(schedule.sends, 0, perPeer));
  arrived.resize(sumInRound(schedule.receives, 0, perPeer));
  sendCursors.reserve(schedule.sends.size());
  receiveCursors.reserve(schedule.receives.size());
}

int AlltoallvBuffers::move(const RankSchedule &schedule, const Blocks &blocks,
                           std::uint64_t largest) {
  SpanCursor keptBefore(schedule.keptBefore, blocks.before.data());
  SpanCursor keptAfter(schedule.keptAfter, blocks.after.data());
  copyAlong(keptBefore, keptAfter, schedule.keptBytes);
  for (const PeerMessage &message : schedule.sends)
    sendCursors.emplace_back(message.parts, blocks.before.data());
  for (const PeerMessage &message : schedule.receives)
    receiveCursors.emplace_back(message.parts, blocks.after.data());
  for (std::uint64_t begin = 0; begin < largest; begin += perPeer) {
    fillCounts(schedule.sends, begin, perPeer, sendCounts, sendPlaces);
    fillCounts(schedule.receives, begin, perPeer, receiveCounts, receivePlaces);
    char *next = packed.data();
    for (std::size_t i = 0; i < schedule.sends.size(); ++i) {
      const std::uint64_t bytes = bytesInRound(schedule.sends[i], begin, perPeer);
      packFrom(sendCursors[i], next, bytes);
      next += bytes;
    }
    const int error = PMPI_Alltoallv(packed.data(), sendCounts.data(), sendPlaces.data(), MPI_BYTE,
                                     arrived.data(), receiveCounts.data(), receivePlaces.data(),
                                     MPI_BYTE, group.communicator);
    if (error != MPI_SUCCESS)
      return error;
    const char *taken = arrived.data();
    for (std::size_t i = 0; i < schedule.receives.size(); ++i) {
      const std::uint64_t bytes = bytesInRound(schedule.receives[i], begin, perPeer);
      unpackTo(taken, receiveCursors[i], bytes);
      taken += bytes;
    }
  }
  return MPI_SUCCESS;
}

} // namespace sendwright::redistribution
