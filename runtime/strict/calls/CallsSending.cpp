// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocking and nonblocking sends.

#include "runtime/interception/Wrappers.h"
#include "runtime/strict/calls/StrictCalls.h"

namespace sendwright::strict {

bool isFollowed(const SendArguments &a) {
  if (a.communicator == MPI_COMM_NULL || a.datatype == MPI_DATATYPE_NULL || a.count < 0 ||
      a.tag < 0 || a.tag > strictRank()->tagLimit || a.destination < 0)
    return false;
  const CommunicatorRecords::Record record = strictRank()->communicators.of(a.communicator);
  return std::size_t(a.destination) < record->peers.size() && record->peers[a.destination] >= 0;
}

void takeBack(MPI_Request request) {
  strictRank()->requests.freed(request);
  PMPI_Cancel(&request);
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

namespace {

/// As MPI does it, with the runtime's progress.
int runPlain(NonblockingSend send, const SendArguments &a) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error =
      send(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, &request);
  return error == MPI_SUCCESS ? waitForRequest(&request, MPI_STATUS_IGNORE) : error;
}

int sendBlocking(NonblockingSend plain, Buffering buffering, const SendArguments &a) {
  if (!isFollowed(a))
    return runPlain(plain, a);
  std::int64_t number = 0;
  const int error = strictRank()->sends.issue(a, buffering, MPI_REQUEST_NULL, -1, number);
  if (error != MPI_SUCCESS)
    return error;
  BlockedCall call;
  call.sends = {&number, 1};
  waitUntil(call, [&] { return strictRank()->sends.complete(number); });
  return MPI_SUCCESS;
}

int sendNonblocking(NonblockingSend plain, Buffering buffering, const SendArguments &a,
                    MPI_Request *request) {
  if (!request || !isFollowed(a))
    return plain(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, request);
  StrictRank &state = *strictRank();
  Operation operation;
  operation.kind = Operation::Sending;
  operation.origin = state.caller;
  const MPI_Request ours = state.requests.make(false, operation.signalTag);
  const int signalTag = operation.signalTag;
  state.requests.note(ours, std::move(operation));
  std::int64_t number = 0;
  const int error = state.sends.issue(a, buffering, ours, signalTag, number);
  if (error != MPI_SUCCESS) {
    takeBack(ours);
    return error;
  }
  if (Operation *noted = state.requests.find(ours))
    noted->number = number;
  *request = ours;
  return MPI_SUCCESS;
}

} // namespace

} // namespace sendwright::strict

using namespace sendwright;
using namespace sendwright::strict;

extern "C" {

int sendwright_strict_MPI_Send(const void *buffer, int count, MPI_Datatype datatype,
                               int destination, int tag, MPI_Comm communicator) {
  return sendBlocking(PMPI_Isend, Buffering::Limited,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_strict_MPI_Rsend(const void *buffer, int count, MPI_Datatype datatype,
                                int destination, int tag, MPI_Comm communicator) {
  return sendBlocking(PMPI_Irsend, Buffering::Limited,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_strict_MPI_Bsend(const void *buffer, int count, MPI_Datatype datatype,
                                int destination, int tag, MPI_Comm communicator) {
  return sendBlocking(PMPI_Ibsend, Buffering::Attached,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_strict_MPI_Ssend(const void *buffer, int count, MPI_Datatype datatype,
                                int destination, int tag, MPI_Comm communicator) {
  return sendBlocking(PMPI_Issend, Buffering::None,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_strict_MPI_Isend(const void *buffer, int count, MPI_Datatype datatype,
                                int destination, int tag, MPI_Comm communicator,
                                MPI_Request *request) {
  return sendNonblocking(PMPI_Isend, Buffering::Limited,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Irsend(const void *buffer, int count, MPI_Datatype datatype,
                                 int destination, int tag, MPI_Comm communicator,
                                 MPI_Request *request) {
  return sendNonblocking(PMPI_Irsend, Buffering::Limited,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Ibsend(const void *buffer, int count, MPI_Datatype datatype,
                                 int destination, int tag, MPI_Comm communicator,
                                 MPI_Request *request) {
  return sendNonblocking(PMPI_Ibsend, Buffering::Attached,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Issend(const void *buffer, int count, MPI_Datatype datatype,
                                 int destination, int tag, MPI_Comm communicator,
                                 MPI_Request *request) {
  return sendNonblocking(PMPI_Issend, Buffering::None,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Buffer_attach(void *buffer, int size) {
  const int error = PMPI_Buffer_attach(buffer, size);
  if (error == MPI_SUCCESS)
    strictRank()->sends.attach(size);
  return error;
}

int sendwright_strict_MPI_Buffer_detach(void *buffer, int *size) {
  const WaitItem messages; // reports do not say what this rank waits for
  BlockedCall call;
  call.item = &messages;
  waitUntil(call, [] { return !strictRank()->sends.attachedInUse(); });
  const int error = PMPI_Buffer_detach(buffer, size);
  if (error == MPI_SUCCESS)
    strictRank()->sends.attach(0);
  return error;
}
}
