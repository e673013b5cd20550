// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives and probes. Receives from a source that sends by route, or from any source, are posted
// here; MPI handles all others, in a loop that makes progress.

#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <memory>
#include <optional>

namespace sendwright::exchange {

namespace {

/// The communicator if the receive must be posted here and MPI would accept it; else null.
SharedCommunicator *serving(const PostedReceive &a) {
  SharedCommunicator *communicator = messageSharing()->find(a.handle);
  if (!communicator || !communicator->serves(a.source) || a.count < 0 ||
      a.datatype == MPI_DATATYPE_NULL || (a.tag < 0 && a.tag != MPI_ANY_TAG))
    return nullptr;
  return communicator;
}

PostedReceive arguments(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                        MPI_Comm communicator) {
  PostedReceive receive;
  receive.buffer = buffer;
  receive.count = count;
  receive.datatype = datatype;
  receive.source = source;
  receive.tag = tag;
  receive.handle = communicator;
  return receive;
}

int queryStatus(void *receive, MPI_Status *status) {
  fillStatus(*static_cast<const PostedReceive *>(receive), status);
  return MPI_SUCCESS;
}
int freeNothing(void *) { return MPI_SUCCESS; }
int cancelNothing(void *, int) { return MPI_SUCCESS; }

/// Begins a receive for whose request the program will wait; `serve(receive)` completes it now or
/// later.
template <typename Serve> int begin(const PostedReceive &a, MPI_Request *request, Serve serve) {
  auto receive = std::make_unique<PostedReceive>(a);
  receive->active = true;
  const int error = PMPI_Grequest_start(queryStatus, freeNothing, cancelNothing, receive.get(),
                                        &receive->request);
  if (error != MPI_SUCCESS)
    return error;
  *request = receive->request;
  PostedReceive &begun = *receive.release();
  messageSharing()->requests().add(begun);
  serve(begun);
  return MPI_SUCCESS;
}

/// Waits for both halves of a Sendrecv, which are under way.
int sendAndReceive(const SendArguments &out, PostedReceive in, MPI_Status *status,
                   const char *function) {
  flushBatches();
  MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
  SharedCommunicator *serves = serving(in);
  in.communicator = serves;
  int error = MPI_SUCCESS;
  MpiTraffic &traffic = messageSharing()->trafficOfMpi();
  if (serves) {
    serves->post(in);
  } else if (in.source == MPI_PROC_NULL) { // a request would have another status with MPICH
    error = sendwright_inner_MPI_Recv(in.buffer, in.count, in.datatype, in.source, in.tag,
                                      in.handle, status);
  } else {
    traffic.noteReceive(in.handle, in.source, in.tag);
    error = sendwright_next_MPI_Irecv(in.buffer, in.count, in.datatype, in.source, in.tag,
                                      in.handle, &received);
  }
  SharedCommunicator *sharing = messageSharing()->find(out.communicator);
  Target *target = sharing && out.destination >= 0 ? sharing->target(out.destination) : nullptr;
  if (target && target->knows)
    target = nullptr;
  if (!target)
    traffic.noteSend(out.communicator, out.destination, out.tag);
  if (error == MPI_SUCCESS)
    error = target ? sendShared(__builtin_frame_address(0), *sharing, *target, Mode::Standard, out,
                                &sent)
                   : sendwright_next_MPI_Isend(out.buffer, out.count, out.datatype, out.destination,
                                               out.tag, out.communicator, &sent);
  flushBatches(); // it may go by route, and its receiver waits for it
  if (error != MPI_SUCCESS)
    return error;
  error = waitForRequest(&sent, MPI_STATUS_IGNORE, function);
  if (in.source == MPI_PROC_NULL)
    return error;
  if (!serves) {
    const int receiveError = waitForRequest(&received, status, function);
    return receiveError != MPI_SUCCESS ? receiveError : error;
  }
  waitUntil([&] { return in.done; }, [&] { return waitingIn(function); }, true);
  fillStatus(in, status);
  return raise(in.handle, in.error);
}

void statusOf(const SharedCommunicator::Held &held, MPI_Status *status) {
  PostedReceive seen;
  seen.statusSource = held.source;
  seen.statusTag = held.record.tag;
  seen.bytes = static_cast<MPI_Count>(held.record.bytes);
  fillStatus(seen, status);
}

/// Keeps a probed message for its receive. An empty message from this process gives MPI a handle
/// for it.
int claim(SharedCommunicator &communicator, const SharedCommunicator::Held &found,
          MPI_Message *message, MPI_Status *status) {
  MessageSharing &sharing = *messageSharing();
  statusOf(found, status);
  ClaimedMessage claimed;
  claimed.communicator = &communicator;
  claimed.held = communicator.take(found);
  const int trigger = sharing.requests().nextTrigger();
  PMPI_Isend(nullptr, 0, MPI_BYTE, 0, trigger, sharing.self(), &claimed.request);
  int there = 0;
  MPI_Status own;
  while (!there)
    PMPI_Improbe(0, trigger, sharing.self(), &there, message, &own);
  sharing.requests().add(*message, std::move(claimed));
  return MPI_SUCCESS;
}

/// The kept message behind the program's handle, which becomes null; nothing if the handle is
/// MPI's.
std::optional<ClaimedMessage> takeClaimed(MPI_Message *message) {
  if (!message)
    return std::nullopt;
  std::optional<ClaimedMessage> claimed = messageSharing()->requests().take(*message);
  if (!claimed)
    return claimed;
  PMPI_Mrecv(nullptr, 0, MPI_BYTE, message, MPI_STATUS_IGNORE);
  PMPI_Wait(&claimed->request, MPI_STATUS_IGNORE);
  return claimed;
}

/// A receive of a kept message, as the program calls it.
PostedReceive receiveOf(const ClaimedMessage &claimed, void *buffer, int count,
                        MPI_Datatype datatype) {
  const MPI_Comm handle = claimed.communicator->handle;
  PostedReceive receive =
      arguments(buffer, count, datatype, claimed.held.source, claimed.held.record.tag,
                handle == MPI_COMM_NULL ? MPI_COMM_WORLD : handle);
  receive.communicator = claimed.communicator;
  return receive;
}

/// The message that a probe finds among those that MPI does not carry.
const SharedCommunicator::Held *held(int source, int tag, MPI_Comm handle) {
  SharedCommunicator *communicator = messageSharing()->find(handle);
  return communicator ? communicator->find(source, tag) : nullptr;
}

} // namespace

int completeRequest(MPI_Comm communicator, int source, MPI_Request *request) {
  if (!request)
    return MPI_SUCCESS;
  if (!isSimulated) // on a communicator that is never freed
    return PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, messageSharing()->self(), request);
  PostedReceive done;
  done.handle = communicator;
  done.statusSource = source;
  return begin(done, request, [](PostedReceive &begun) { complete(begun); });
}

int receiveShared(SharedCommunicator &communicator, PostedReceive &receive, MPI_Status *status,
                  const char *function) {
  receive.communicator = &communicator;
  communicator.post(receive);
  return waitForReceive(receive, status, function);
}

int waitForReceive(PostedReceive &receive, MPI_Status *status, const char *function) {
  waitUntil([&] { return receive.done; },
            [&] {
              return "in " + std::string(function) + " for a message of rank " +
                     std::to_string(receive.source) + " (tag " + std::to_string(receive.tag) + ")" +
                     messageSharing()->whatIsAwaited();
            },
            true);
  fillStatus(receive, status);
  return raise(receive.handle, receive.error);
}

} // namespace sendwright::exchange

using namespace sendwright;
using namespace sendwright::exchange;

extern "C" {

int sendwright_exchange_MPI_Recv(void *buffer, int count, MPI_Datatype datatype, int source,
                                 int tag, MPI_Comm communicator, MPI_Status *status) {
  flushBatches();
  PostedReceive receive = arguments(buffer, count, datatype, source, tag, communicator);
  if (SharedCommunicator *serves = serving(receive))
    return receiveShared(*serves, receive, status, "MPI_Recv");
  if (source == MPI_PROC_NULL)
    return sendwright_inner_MPI_Recv(buffer, count, datatype, source, tag, communicator, status);
  messageSharing()->trafficOfMpi().noteReceive(communicator, source, tag);
  MPI_Request request = MPI_REQUEST_NULL;
  const int error =
      sendwright_next_MPI_Irecv(buffer, count, datatype, source, tag, communicator, &request);
  return error == MPI_SUCCESS ? waitForRequest(&request, status, "MPI_Recv") : error;
}

int sendwright_exchange_MPI_Irecv(void *buffer, int count, MPI_Datatype datatype, int source,
                                  int tag, MPI_Comm communicator, MPI_Request *request) {
  PostedReceive receive = arguments(buffer, count, datatype, source, tag, communicator);
  receive.communicator = request ? serving(receive) : nullptr;
  if (isSimulated && source == MPI_PROC_NULL)
    return completeRequest(communicator, source, request);
  if (!receive.communicator) {
    messageSharing()->trafficOfMpi().noteReceive(communicator, source, tag);
    return sendwright_inner_MPI_Irecv(buffer, count, datatype, source, tag, communicator, request);
  }
  receive.ownsDatatype = ownDatatype(receive.datatype);
  return begin(receive, request, [](PostedReceive &begun) { begun.communicator->post(begun); });
}

int sendwright_exchange_MPI_Sendrecv(const void *sent, int sentCount, MPI_Datatype sentType,
                                     int destination, int sentTag, void *received,
                                     int receivedCount, MPI_Datatype receivedType, int source,
                                     int receivedTag, MPI_Comm communicator, MPI_Status *status) {
  return sendAndReceive(
      {sent, sentCount, sentType, destination, sentTag, communicator},
      arguments(received, receivedCount, receivedType, source, receivedTag, communicator), status,
      "MPI_Sendrecv");
}

int sendwright_exchange_MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype datatype,
                                             int destination, int sentTag, int source,
                                             int receivedTag, MPI_Comm communicator,
                                             MPI_Status *status) {
  int size = 0, position = 0;
  int error = PMPI_Pack_size(count, datatype, communicator, &size);
  if (error != MPI_SUCCESS)
    return error;
  std::vector<std::byte> copy(static_cast<std::size_t>(size) + 1);
  error = PMPI_Pack(buffer, count, datatype, copy.data(), size, &position, communicator);
  if (error != MPI_SUCCESS)
    return error;
  return sendAndReceive({copy.data(), position, MPI_PACKED, destination, sentTag, communicator},
                        arguments(buffer, count, datatype, source, receivedTag, communicator),
                        status, "MPI_Sendrecv_replace");
}

int sendwright_exchange_MPI_Iprobe(int source, int tag, MPI_Comm communicator, int *flag,
                                   MPI_Status *status) {
  progress();
  const SharedCommunicator::Held *found = flag ? held(source, tag, communicator) : nullptr;
  if (!found)
    return sendwright_inner_MPI_Iprobe(source, tag, communicator, flag, status);
  flushBatches();
  *flag = 1;
  statusOf(*found, status);
  return MPI_SUCCESS;
}

int sendwright_exchange_MPI_Probe(int source, int tag, MPI_Comm communicator, MPI_Status *status) {
  int found = 0, error = MPI_SUCCESS;
  const SharedCommunicator *sharing = isSimulated ? messageSharing()->find(communicator) : nullptr;
  if (sharing && sharing->servesAlone(source)) { // testing MPI's requests takes simulated time
    const SharedCommunicator::Held *seen = nullptr;
    flushBatches();
    waitUntil([&] { return (seen = held(source, tag, communicator)) != nullptr; },
              [] { return std::string(); }, true);
    statusOf(*seen, status);
    return MPI_SUCCESS;
  }
  waitUntil(
      [&] {
        error = sendwright_exchange_MPI_Iprobe(source, tag, communicator, &found, status);
        return found || error != MPI_SUCCESS;
      },
      [] { return waitingIn("MPI_Probe"); });
  return error;
}

int sendwright_exchange_MPI_Improbe(int source, int tag, MPI_Comm communicator, int *flag,
                                    MPI_Message *message, MPI_Status *status) {
  progress();
  const SharedCommunicator::Held *found =
      flag && message ? held(source, tag, communicator) : nullptr;
  if (!found) {
    messageSharing()->trafficOfMpi().noteUnknown(communicator);
    return sendwright_inner_MPI_Improbe(source, tag, communicator, flag, message, status);
  }
  flushBatches();
  *flag = 1;
  return claim(*messageSharing()->find(communicator), *found, message, status);
}

int sendwright_exchange_MPI_Mprobe(int source, int tag, MPI_Comm communicator, MPI_Message *message,
                                   MPI_Status *status) {
  int found = 0, error = MPI_SUCCESS;
  waitUntil(
      [&] {
        error = sendwright_exchange_MPI_Improbe(source, tag, communicator, &found, message, status);
        return found || error != MPI_SUCCESS;
      },
      [] { return waitingIn("MPI_Mprobe"); });
  return error;
}

int sendwright_exchange_MPI_Mrecv(void *buffer, int count, MPI_Datatype datatype,
                                  MPI_Message *message, MPI_Status *status) {
  progress();
  const std::optional<ClaimedMessage> claimed = takeClaimed(message);
  if (!claimed)
    return sendwright_inner_MPI_Mrecv(buffer, count, datatype, message, status);
  flushBatches();
  PostedReceive receive = receiveOf(*claimed, buffer, count, datatype);
  claimed->communicator->give(receive, claimed->held);
  return waitForReceive(receive, status, "MPI_Mrecv");
}

int sendwright_exchange_MPI_Imrecv(void *buffer, int count, MPI_Datatype datatype,
                                   MPI_Message *message, MPI_Request *request) {
  const std::optional<ClaimedMessage> claimed = request ? takeClaimed(message) : std::nullopt;
  if (!claimed)
    return sendwright_inner_MPI_Imrecv(buffer, count, datatype, message, request);
  flushBatches();
  PostedReceive receive = receiveOf(*claimed, buffer, count, datatype);
  receive.ownsDatatype = ownDatatype(receive.datatype);
  return begin(receive, request,
               [&](PostedReceive &begun) { begun.communicator->give(begun, claimed->held); });
}
}
