// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests. Each start of a send is a separate message, which may still be under way
// when the next start is made.

#include "runtime/interception/Wrappers.h"
#include "runtime/strict/calls/StrictCalls.h"

namespace sendwright::strict {

namespace {

int makeSend(NonblockingSend initialize, Buffering buffering, const SendArguments &a,
             MPI_Request *request) {
  const bool followed = request && isFollowed(a);
  if (followed && buffering == Buffering::Limited)
    initialize = PMPI_Ssend_init;
  const int error =
      initialize(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, request);
  if (error != MPI_SUCCESS || !followed)
    return error;
  Operation operation;
  operation.kind = Operation::Sending;
  operation.persistent = true;
  operation.active = false;
  operation.communicator = strictRank()->communicators.of(a.communicator);
  operation.arguments = a;
  operation.buffering = buffering;
  operation.original = *request;
  PMPI_Type_dup(a.datatype, &operation.arguments.datatype); // the program may free its datatype
  *request = strictRank()->requests.make(true, operation.signalTag);
  strictRank()->requests.note(*request, std::move(operation));
  return MPI_SUCCESS;
}

int startSend(Operation &operation, MPI_Request *request) {
  const int error = PMPI_Start(request);
  if (error != MPI_SUCCESS)
    return error;
  operation.active = true;
  operation.origin = strictRank()->caller;
  Sends &sends = strictRank()->sends;
  std::int64_t number = 0;
  const int sendError =
      operation.communicator->alive
          ? sends.issue(operation.arguments, operation.buffering, *request, operation.signalTag,
                        number)
          : sends.issuePersistent(operation.original, operation.arguments, operation.communicator,
                                  *request, operation.signalTag, number);
  if (sendError != MPI_SUCCESS) {
    operation.active = false;
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
  }
  operation.number = number;
  return sendError;
}

int start(MPI_Request *request) {
  Operation *operation = request ? strictRank()->requests.find(*request) : nullptr;
  if (!operation)
    return PMPI_Start(request);
  if (operation->kind == Operation::Sending)
    return startSend(*operation, request);
  const int error = PMPI_Start(request);
  operation->active = error == MPI_SUCCESS;
  operation->origin = strictRank()->caller;
  return error;
}

} // namespace

} // namespace sendwright::strict

using namespace sendwright;
using namespace sendwright::strict;

extern "C" {

int sendwright_strict_MPI_Send_init(const void *buffer, int count, MPI_Datatype datatype,
                                    int destination, int tag, MPI_Comm communicator,
                                    MPI_Request *request) {
  return makeSend(PMPI_Send_init, Buffering::Limited,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Rsend_init(const void *buffer, int count, MPI_Datatype datatype,
                                     int destination, int tag, MPI_Comm communicator,
                                     MPI_Request *request) {
  return makeSend(PMPI_Rsend_init, Buffering::Limited,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Bsend_init(const void *buffer, int count, MPI_Datatype datatype,
                                     int destination, int tag, MPI_Comm communicator,
                                     MPI_Request *request) {
  return makeSend(PMPI_Bsend_init, Buffering::Attached,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Ssend_init(const void *buffer, int count, MPI_Datatype datatype,
                                     int destination, int tag, MPI_Comm communicator,
                                     MPI_Request *request) {
  return makeSend(PMPI_Ssend_init, Buffering::None,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_strict_MPI_Recv_init(void *buffer, int count, MPI_Datatype datatype, int source,
                                    int tag, MPI_Comm communicator, MPI_Request *request) {
  const int error = PMPI_Recv_init(buffer, count, datatype, source, tag, communicator, request);
  if (error != MPI_SUCCESS || source == MPI_PROC_NULL)
    return error;
  Operation operation;
  operation.kind = Operation::Receiving;
  operation.persistent = true;
  operation.active = false;
  operation.communicator = strictRank()->communicators.of(communicator);
  operation.peer = source;
  operation.tag = tag;
  strictRank()->requests.note(*request, std::move(operation));
  return error;
}

int sendwright_strict_MPI_Start(MPI_Request *request) { return start(request); }

int sendwright_strict_MPI_Startall(int count, MPI_Request *requests) {
  for (int index = 0; index < count; ++index)
    if (const int error = start(&requests[index]); error != MPI_SUCCESS)
      return error;
  return MPI_SUCCESS;
}
}
