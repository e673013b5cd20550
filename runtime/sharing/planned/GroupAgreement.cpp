// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meetings of ranks that have no communicator at hand: the ranks of a window or a file, or those
// that create a communicator. Members tell one another at distances 1, 2, 4 and so on; each pair at
// most once in each direction in a meeting, so that its messages come in the order of the meetings.

#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>

namespace sendwright::exchange {

void agreeOnLargest(const std::vector<int> &members, std::vector<std::int64_t> &numbers,
                    const char *function) {
  const Link &link = messageSharing()->link();
  const int rank = rankIn(MPI_COMM_WORLD);
  const auto self = static_cast<std::size_t>(std::ranges::find(members, rank) - members.begin());
  const std::size_t count = members.size();
  if (self == count)
    return;
  std::vector<std::int64_t> heard(numbers.size());
  const int size = static_cast<int>(numbers.size());
  for (std::size_t distance = 1; distance < count; distance *= 2) {
    MPI_Request tell = MPI_REQUEST_NULL, told = MPI_REQUEST_NULL;
    const std::vector<std::int64_t> said = numbers;
    PMPI_Irecv(heard.data(), size, MPI_INT64_T, members[(self + count - distance) % count],
               link.meetingTag(), link.communicator(), &told);
    PMPI_Isend(said.data(), size, MPI_INT64_T, members[(self + distance) % count],
               link.meetingTag(), link.communicator(), &tell);
    waitForRequest(&told, MPI_STATUS_IGNORE, function);
    PMPI_Wait(&tell, MPI_STATUS_IGNORE); // it is so short that it has left
    for (std::size_t index = 0; index < numbers.size(); ++index)
      numbers[index] = std::max(numbers[index], heard[index]);
  }
}

bool allOfThemAgree(const std::vector<int> &members, bool own, const char *function) {
  std::vector<std::int64_t> disagrees{own ? 0 : 1};
  agreeOnLargest(members, disagrees, function);
  return disagrees.front() == 0;
}

namespace {

/// Processes of other jobs have no runtime that could answer.
bool allAreHere(const std::vector<int> &members) {
  return std::ranges::find(members, -1) == members.end();
}

void meetMembers(const std::vector<int> &members) {
  flushBatches();
  if (isWatching())
    return messageSharing()->policy()->callWhileWatching(MPI_COMM_NULL);
  if (allAreHere(members))
    allOfThemAgree(members, true, "a collective");
}

} // namespace

void meetGroup(MPI_Group group) {
  if (group != MPI_GROUP_NULL && group != MPI_GROUP_EMPTY)
    meetMembers(worldRanksOf(group));
}

void meetWindow(MPI_Win window) { meetMembers(worldRanksOfWindow(window)); }

void meetFile(MPI_File file) { meetMembers(worldRanksOfFile(file)); }

void meetOtherSide(MPI_Comm local, int leader, MPI_Comm peer, int remoteLeader) {
  if (local == MPI_COMM_NULL)
    return;
  flushBatches();
  if (isWatching())
    return messageSharing()->policy()->callWhileWatching(MPI_COMM_NULL);
  waitForMembers(local, "MPI_Intercomm_create");
  const int rank = rankIn(local);
  if (rank == leader && peer != MPI_COMM_NULL)
    meetMembers(leadersOf(peer, remoteLeader));
  waitForMembers(local, "MPI_Intercomm_create");
}

} // namespace sendwright::exchange
