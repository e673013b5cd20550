// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests, freeing and cancelling. The program's handle is a persistent request of
// MPI's that is never started. A start sends the message, or posts the receive, at the runtime;
// calls that complete requests ask the runtime how far it is (CallsCompletion.cpp). So a start
// never waits, and costs no message of its own.

#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <memory>
#include <optional>

namespace sendwright::exchange {

namespace {

using Initialize = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

int makeSend(Initialize inner, Mode mode, const SendArguments &a, MPI_Request *request) {
  MessageSharing &sharing = *messageSharing();
  std::optional<PersistentSend> send;
  if (request)
    send = servedSend(sharing.find(a.communicator), mode, a);
  if (!send) {
    sharing.trafficOfMpi().noteUnknown(a.communicator);
    return inner(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, request);
  }
  const int error = sharing.requests().makeHandle(request);
  if (error != MPI_SUCCESS)
    return error;
  send->ownsDatatype = ownDatatype(send->arguments.datatype);
  sharing.requests().add(*request, *send);
  return MPI_SUCCESS;
}

int startSend(const void *frame, PersistentSend &send) {
  Target &target = *send.communicator->target(send.arguments.destination); // it existed before
  const int error = sendShared(frame, *send.communicator, target, send.mode, send.arguments,
                               send.isAlwaysCopied ? nullptr : &send.message);
  send.active = error == MPI_SUCCESS;
  if (send.active && !send.isAlwaysCopied)
    messageSharing()->requests().noteStart(send);
  return error;
}

int startOne(const void *frame, MPI_Request *request) {
  const ProgramRequests &known = messageSharing()->requests();
  if (PersistentSend *send = known.send(*request))
    return startSend(frame, *send);
  PostedReceive *receive = known.receive(*request);
  if (!receive || !receive->persistent)
    return sendwright_inner_MPI_Start(request);
  receive->active = true;
  receive->done = receive->cancelled = false;
  receive->error = MPI_SUCCESS;
  receive->bytes = 0;
  receive->statusSource = MPI_ANY_SOURCE;
  receive->statusTag = MPI_ANY_TAG;
  receive->communicator->post(*receive);
  return MPI_SUCCESS;
}

bool isOurs(MPI_Request request) {
  const ProgramRequests &known = messageSharing()->requests();
  return known.send(request) || known.receive(request);
}

} // namespace

std::optional<PersistentSend> servedSend(SharedCommunicator *communicator, Mode mode,
                                         const SendArguments &a) {
  if (!communicator || a.destination < 0 || a.count < 0 || a.tag < 0 ||
      a.tag > messageSharing()->tagLimit() || a.datatype == MPI_DATATYPE_NULL ||
      !communicator->target(a.destination))
    return std::nullopt;
  PersistentSend send;
  send.arguments = a;
  send.mode = mode;
  send.communicator = communicator;
  send.isAlwaysCopied = isAlwaysCopied(mode, a);
  return send;
}

std::unique_ptr<PostedReceive> servedReceive(SharedCommunicator *communicator, void *buffer,
                                             int count, MPI_Datatype datatype, int source, int tag,
                                             MPI_Comm handle) {
  if (!communicator || !communicator->serves(source) || count < 0 ||
      datatype == MPI_DATATYPE_NULL || (tag < 0 && tag != MPI_ANY_TAG))
    return nullptr;
  auto receive = std::make_unique<PostedReceive>();
  receive->buffer = buffer;
  receive->count = count;
  receive->datatype = datatype;
  receive->source = source;
  receive->tag = tag;
  receive->handle = handle;
  receive->communicator = communicator;
  receive->persistent = true;
  return receive;
}

} // namespace sendwright::exchange

using namespace sendwright;
using namespace sendwright::exchange;

#define SENDWRIGHT_INITIALIZE(NAME, MODE)                                                          \
  int sendwright_exchange_MPI_##NAME(const void *buffer, int count, MPI_Datatype datatype,         \
                                     int destination, int tag, MPI_Comm communicator,              \
                                     MPI_Request *request) {                                       \
    return makeSend(sendwright_inner_MPI_##NAME, MODE,                                             \
                    {buffer, count, datatype, destination, tag, communicator}, request);           \
  }

extern "C" {

SENDWRIGHT_INITIALIZE(Send_init, Mode::Standard)
SENDWRIGHT_INITIALIZE(Bsend_init, Mode::Buffered)
SENDWRIGHT_INITIALIZE(Rsend_init, Mode::Ready)
SENDWRIGHT_INITIALIZE(Ssend_init, Mode::Synchronous)

int sendwright_exchange_MPI_Recv_init(void *buffer, int count, MPI_Datatype datatype, int source,
                                      int tag, MPI_Comm communicator, MPI_Request *request) {
  MessageSharing &sharing = *messageSharing();
  std::unique_ptr<PostedReceive> receive;
  if (request)
    receive = servedReceive(sharing.find(communicator), buffer, count, datatype, source, tag,
                            communicator);
  if (!receive) {
    sharing.trafficOfMpi().noteUnknown(communicator);
    return sendwright_inner_MPI_Recv_init(buffer, count, datatype, source, tag, communicator,
                                          request);
  }
  const int error = sharing.requests().makeHandle(request);
  if (error != MPI_SUCCESS)
    return error;
  receive->ownsDatatype = ownDatatype(receive->datatype);
  receive->request = *request;
  sharing.requests().add(*receive.release());
  return MPI_SUCCESS;
}

int sendwright_exchange_MPI_Start(MPI_Request *request) {
  return request ? startOne(__builtin_frame_address(0), request)
                 : sendwright_inner_MPI_Start(request);
}

int sendwright_exchange_MPI_Startall(int count, MPI_Request *requests) {
  bool any = false;
  for (int index = 0; requests && index < count; ++index)
    any |= isOurs(requests[index]);
  if (!any)
    return sendwright_inner_MPI_Startall(count, requests);
  for (int index = 0; index < count; ++index)
    if (const int error = startOne(__builtin_frame_address(0), &requests[index]);
        error != MPI_SUCCESS)
      return error;
  return MPI_SUCCESS;
}

int sendwright_exchange_MPI_Request_free(MPI_Request *request) {
  flushBatches();
  ProgramRequests &known = messageSharing()->requests();
  if (!request)
    return sendwright_inner_MPI_Request_free(request);
  const PersistentSend *send = known.send(*request);
  messageSharing()->notices().forget(send ? send->message : *request);
  if (known.freeSend(*request))
    return PMPI_Request_free(request);
  PostedReceive *receive = known.receive(*request);
  if (!receive)
    return sendwright_inner_MPI_Request_free(request);
  known.forget(*receive);
  const int error = PMPI_Request_free(request);
  if (receive->active && !receive->done)
    receive->detached = true;
  else
    release(receive);
  return error;
}

int sendwright_exchange_MPI_Cancel(MPI_Request *request) {
  flushBatches();
  if (request &&
      (messageSharing()->requests().send(*request) || messageSharing()->notices().owns(*request)))
    return MPI_SUCCESS; // its message has left
  PostedReceive *receive = request ? messageSharing()->requests().receive(*request) : nullptr;
  if (!receive)
    return sendwright_inner_MPI_Cancel(request);
  progress();
  if (receive->active && !receive->done && receive->communicator->takeBack(*receive)) {
    receive->cancelled = true;
    complete(*receive);
  }
  return MPI_SUCCESS;
}
}
