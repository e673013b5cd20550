// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives take no buffers, but a rank that waits in one must serve others. So it polls until
// all members have come, and only then calls MPI's own function, which now needs no progress but
// MPI's: results are exactly those of the collective that the program called. The price is that
// each collective synchronises, as MPI allows.

#include "runtime/base/WorldRanks.h"
#include "runtime/strict/Blocking.h"

namespace sendwright::strict {

namespace {

void poll(MPI_Request request, const BlockedCall &call) {
  waitUntil(call, [&] {
    int done = 0;
    return PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
  });
}

} // namespace

void meet(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL)
    return;
  const CommunicatorRecords::Record record = strictRank()->communicators.of(communicator);
  if (record->members.size() < 2)
    return;
  WaitItem item;
  item.communicator = record->id;
  item.wholeWorld = record->world;
  item.members.assign(record->members.begin(), record->members.end());
  if (record->id != 0) {
    item.kind = WaitItem::Meeting;
    item.number = strictRank()->communicators.beginCollective(*record);
  }
  BlockedCall call;
  call.item = &item;
  // On an intercommunicator, the first round says that all of the other side have come, and the
  // second that they know that all of this side have come.
  for (int round = 0; round < (record->intercommunicator ? 2 : 1); ++round) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Ibarrier(communicator, &request) != MPI_SUCCESS)
      return;
    poll(request, call);
  }
}

void meetGroup(MPI_Group group) {
  if (group != MPI_GROUP_NULL && group != MPI_GROUP_EMPTY)
    strictRank()->meetings.meet(worldRanksOf(group));
}

void meetOtherSide(MPI_Comm local, int leader, MPI_Comm peer, int remoteLeader) {
  if (local == MPI_COMM_NULL)
    return;
  meet(local);
  const int rank = rankIn(local);
  if (rank == leader && peer != MPI_COMM_NULL)
    strictRank()->meetings.meet(leadersOf(peer, remoteLeader));
  meet(local);
}

void meetWindow(MPI_Win window) { strictRank()->meetings.meet(worldRanksOfWindow(window)); }

void meetFile(MPI_File file) { strictRank()->meetings.meet(worldRanksOfFile(file)); }

void noteCollective(MPI_Comm communicator, MPI_Request request, bool synchronizing) {
  const CommunicatorRecords::Record record = strictRank()->communicators.of(communicator);
  const std::int64_t number =
      record->id == 0 ? 0 : strictRank()->communicators.beginCollective(*record);
  if (!synchronizing || record->intercommunicator)
    return; // it may end before all have begun it
  Operation operation;
  operation.kind = Operation::Collective;
  operation.origin = strictRank()->caller;
  operation.communicator = record;
  operation.number = number;
  strictRank()->requests.note(request, std::move(operation));
}

void noteCommunicator(MPI_Comm communicator) { strictRank()->communicators.note(communicator); }

void dropCommunicator(MPI_Comm communicator) { strictRank()->communicators.drop(communicator); }

} // namespace sendwright::strict
