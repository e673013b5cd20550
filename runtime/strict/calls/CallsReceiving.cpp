// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives, pairwise exchanges and probes.

#include "runtime/interception/Wrappers.h"
#include "runtime/strict/calls/StrictCalls.h"

#include <climits>

namespace sendwright::strict {

int postReceive(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                MPI_Comm communicator, MPI_Request *request) {
  const int error = PMPI_Irecv(buffer, count, datatype, source, tag, communicator, request);
  if (error != MPI_SUCCESS || source == MPI_PROC_NULL)
    return error;
  Operation operation;
  operation.kind = Operation::Receiving;
  operation.origin = strictRank()->caller;
  operation.communicator = strictRank()->communicators.of(communicator);
  operation.peer = source;
  operation.tag = tag;
  strictRank()->requests.note(*request, std::move(operation));
  return error;
}

namespace {

/// Waits for a receive (null: from MPI_PROC_NULL) and a send that were begun; `plain`: MPI handles
/// the send.
int finishExchange(MPI_Request receive, std::int64_t number, MPI_Request plain,
                   MPI_Status *status) {
  BlockedCall call;
  const WaitItem ofMpi;
  call.requests = {&receive, 1};
  call.item = plain == MPI_REQUEST_NULL ? nullptr : &ofMpi;
  call.sends = {&number, number ? 1u : 0u};
  waitUntil(call, [&] {
    int sent = 0;
    PMPI_Test(&plain, &sent, MPI_STATUS_IGNORE);
    return sent && strictRank()->sends.complete(number) &&
           (receive == MPI_REQUEST_NULL || Requests::isComplete(receive));
  });
  if (receive == MPI_REQUEST_NULL) // from MPI_PROC_NULL: MPI_Wait need not say so as MPI_Recv does
    return PMPI_Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, status);
  return waitForRequest(&receive, status);
}

/// Begins the send of a pairwise exchange: a followed message, or a message that MPI handles.
int beginSend(const SendArguments &a, std::int64_t &number, MPI_Request &plain) {
  if (isFollowed(a))
    return strictRank()->sends.issue(a, Buffering::Limited, MPI_REQUEST_NULL, -1, number);
  return PMPI_Isend(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, &plain);
}

/// Waits until there is a message; `look` is the nonblocking MPI function.
template <typename Look> int probe(int source, int tag, MPI_Comm communicator, Look look) {
  int found = 0;
  int error = look(&found);
  if (error != MPI_SUCCESS || found)
    return error;
  const CommunicatorRecords::Record record = strictRank()->communicators.of(communicator);
  WaitItem item;
  item.kind = WaitItem::Probing;
  item.communicator = record->id;
  item.tag = tag == MPI_ANY_TAG ? anyTagValue : tag;
  item.peer = source == MPI_ANY_SOURCE ? anyRank : record->worldRank(source);
  item.members.assign(record->peers.begin(), record->peers.end());
  if (item.peer == anyRank && source != MPI_ANY_SOURCE)
    item.kind = WaitItem::Unknown; // a process of another job
  BlockedCall call;
  call.item = &item;
  waitUntil(call, [&] {
    error = look(&found);
    return found || error != MPI_SUCCESS;
  });
  return error;
}

} // namespace

} // namespace sendwright::strict

using namespace sendwright;
using namespace sendwright::strict;

extern "C" {

int sendwright_strict_MPI_Irecv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                                MPI_Comm communicator, MPI_Request *request) {
  return postReceive(buffer, count, datatype, source, tag, communicator, request);
}

int sendwright_strict_MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                               MPI_Comm communicator, MPI_Status *status) {
  if (source == MPI_PROC_NULL)
    return PMPI_Recv(buffer, count, datatype, source, tag, communicator, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = postReceive(buffer, count, datatype, source, tag, communicator, &request);
  return error == MPI_SUCCESS ? waitForRequest(&request, status) : error;
}

int sendwright_strict_MPI_Sendrecv(const void *sent, int sentCount, MPI_Datatype sentType,
                                   int destination, int sentTag, void *received, int receivedCount,
                                   MPI_Datatype receivedType, int source, int receivedTag,
                                   MPI_Comm communicator, MPI_Status *status) {
  MPI_Request receive = MPI_REQUEST_NULL, plain = MPI_REQUEST_NULL;
  std::int64_t number = 0;
  int error = MPI_SUCCESS;
  if (source != MPI_PROC_NULL)
    error = postReceive(received, receivedCount, receivedType, source, receivedTag, communicator,
                        &receive);
  if (error != MPI_SUCCESS)
    return error;
  error = beginSend({sent, sentCount, sentType, destination, sentTag, communicator}, number, plain);
  if (error != MPI_SUCCESS) {
    if (receive != MPI_REQUEST_NULL)
      takeBack(receive);
    return error;
  }
  return finishExchange(receive, number, plain, status);
}

int sendwright_strict_MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype datatype,
                                           int destination, int sentTag, int source,
                                           int receivedTag, MPI_Comm communicator,
                                           MPI_Status *status) {
  const SendArguments a{buffer, count, datatype, destination, sentTag, communicator};
  const auto asMpiDoesIt = [&] {
    return PMPI_Sendrecv_replace(buffer, count, datatype, destination, sentTag, source, receivedTag,
                                 communicator, status);
  };
  MPI_Count size = 0;
  if (destination != MPI_PROC_NULL) {
    if (!isFollowed(a))
      return asMpiDoesIt();
    PMPI_Type_size_x(datatype, &size);
    if (count > 0 && size > INT_MAX / count)
      return asMpiDoesIt(); // it could not be copied
  }
  MPI_Request receive = MPI_REQUEST_NULL, plain = MPI_REQUEST_NULL;
  std::int64_t number = 0;
  int error = beginSend(a, number, plain); // copies the data that the receive overwrites
  if (error != MPI_SUCCESS)
    return error;
  if (source != MPI_PROC_NULL)
    error = postReceive(buffer, count, datatype, source, receivedTag, communicator, &receive);
  return error == MPI_SUCCESS ? finishExchange(receive, number, plain, status) : error;
}

int sendwright_strict_MPI_Probe(int source, int tag, MPI_Comm communicator, MPI_Status *status) {
  return probe(source, tag, communicator,
               [&](int *found) { return PMPI_Iprobe(source, tag, communicator, found, status); });
}

int sendwright_strict_MPI_Mprobe(int source, int tag, MPI_Comm communicator, MPI_Message *message,
                                 MPI_Status *status) {
  return probe(source, tag, communicator, [&](int *found) {
    return PMPI_Improbe(source, tag, communicator, found, message, status);
  });
}

int sendwright_strict_MPI_Imrecv(void *buffer, int count, MPI_Datatype datatype,
                                 MPI_Message *message, MPI_Request *request) {
  strictRank()->requests.uncounted = true;
  return PMPI_Imrecv(buffer, count, datatype, message, request);
}

int sendwright_strict_MPI_Mrecv(void *buffer, int count, MPI_Datatype datatype,
                                MPI_Message *message, MPI_Status *status) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = sendwright_strict_MPI_Imrecv(buffer, count, datatype, message, &request);
  return error == MPI_SUCCESS ? waitForRequest(&request, status) : error;
}
}
