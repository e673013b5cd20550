// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/synchronization/MeetingTokens.h"

#include "runtime/base/Waiting.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/strict/StrictBuffers.h"

#include <algorithm>
#include <string>

namespace sendwright::synchronization {

namespace {

constexpr int arrived = 0, noLongerTakesPart = 1, callsUnrecorded = 2;

} // namespace

MeetingTokens::MeetingTokens(const std::vector<std::vector<int>> &groups,
                             const std::vector<std::vector<int>> &listeners) {
  rank = rankIn(MPI_COMM_WORLD);
  ranks = ranksIn(MPI_COMM_WORLD);
  for (const std::vector<int> &group : groups) {
    const int size = sizeOf(group), place = placeIn(group);
    for (int distance = 1; distance < size; distance *= 2)
      waiters.insert(memberOf(group, (place + distance) % size));
  }
  for (const std::vector<int> &list : listeners)
    waiters.insert(list.begin(), list.end());
}

bool MeetingTokens::begin(PrivateCommunicator &privateWorld) {
  communicator = privateWorld.handle();
  firstTag = privateWorld.takeTags(2);
  return firstTag >= 0;
}

int MeetingTokens::sizeOf(const std::vector<int> &group) const {
  return group.empty() ? ranks : static_cast<int>(group.size());
}

int MeetingTokens::memberOf(const std::vector<int> &group, int place) const {
  return group.empty() ? place : group[static_cast<std::size_t>(place)];
}

int MeetingTokens::placeIn(const std::vector<int> &group) const {
  if (group.empty())
    return rank;
  return static_cast<int>(std::lower_bound(group.begin(), group.end(), rank) - group.begin());
}

bool MeetingTokens::waitFor(const std::vector<int> &group) {
  const int size = sizeOf(group), place = placeIn(group);
  for (int distance = 1; distance < size; distance *= 2) {
    send(memberOf(group, (place + distance) % size), arrived);
    if (!receiveFrom(memberOf(group, (place - distance % size + size) % size)))
      return false;
  }
  return true;
}

void MeetingTokens::announce(const std::vector<int> &listeners) {
  for (const int listener : listeners)
    send(listener, arrived);
}

void MeetingTokens::abandon(bool unrecorded) {
  if (abandoned)
    return;
  abandoned = true;
  for (const int waiter : waiters)
    send(waiter, unrecorded ? callsUnrecorded : noLongerTakesPart);
}

/// The message is complete at its receiver even without a receive: it is small, and the receiver
/// may never receive it.
void MeetingTokens::send(int destination, int content, Purpose purpose) {
  while (!outgoing.empty()) {
    int done = 0;
    PMPI_Test(&outgoing.front().request, &done, MPI_STATUS_IGNORE);
    if (!done)
      break;
    outgoing.pop_front();
  }
  Outgoing &message = outgoing.emplace_back();
  message.content = content;
  PMPI_Isend(&message.content, 1, MPI_INT, destination, tagOf(purpose), communicator,
             &message.request);
  strict::noteTold(destination);
}

bool MeetingTokens::receiveFrom(int source, Purpose purpose) {
  int content = noLongerTakesPart;
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Irecv(&content, 1, MPI_INT, source, tagOf(purpose), communicator, &request);
  if (!isSimulated && !strict::on())
    serveUntilComplete(&request, MPI_STATUS_IGNORE, [&] {
      return (purpose == Purpose::End ? "at the end of synchronisation for rank "
                                      : "between two super epochs for rank ") +
             std::to_string(source);
    });
  strict::awaitBoundary(&request, source, purpose == Purpose::End);
  unrecorded |= content == callsUnrecorded;
  return content == arrived;
}

/// Receives what other ranks told this rank, when they left before it would have listened. All of
/// it was sent before this begins, as finish() has heard from every rank. The barrier gives
/// messages under way the time to arrive. (SMPI's barrier ends as soon as rank 0 has come; but
/// under SMPI a probe finds all that was sent.)
void MeetingTokens::takeIn() {
  MPI_Request all = MPI_REQUEST_NULL;
  PMPI_Ibarrier(communicator, &all);
  for (int done = 0, found = 1; !done || found;) {
    if (!done)
      PMPI_Test(&all, &done, MPI_STATUS_IGNORE);
    MPI_Status status;
    PMPI_Iprobe(MPI_ANY_SOURCE, tagOf(Purpose::Boundary), communicator, &found, &status);
    int content = 0;
    if (found)
      PMPI_Recv(&content, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, communicator,
                MPI_STATUS_IGNORE);
    strict::progress();
  }
}

bool MeetingTokens::finish(bool left) {
  bool any = left;
  for (int distance = 1; distance < ranks; distance *= 2) {
    send((rank + distance) % ranks, any ? noLongerTakesPart : arrived, Purpose::End);
    any |= !receiveFrom((rank - distance + ranks) % ranks, Purpose::End);
  }
  if (any)
    takeIn();
  for (Outgoing &message : outgoing)
    PMPI_Wait(&message.request, MPI_STATUS_IGNORE);
  outgoing.clear();
  return any;
}

} // namespace sendwright::synchronization
