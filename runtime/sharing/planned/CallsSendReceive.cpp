// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Isendrecv: two messages and one request, which is that of the receive. The sent message is
// copied, as MPI may do, so the program may change its buffer when the call returns.

#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#ifdef SENDWRIGHT_HAS_ISENDRECV

#include <algorithm>
#include <list>
#include <new>

namespace sendwright::exchange {

namespace {

/// A message that MPI is still sending.
struct Leaving {
  std::vector<std::byte> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

std::list<Leaving> &leaving() {
  static auto *all = new std::list<Leaving>; // MPI may read them until the program ends
  return *all;
}

/// Lets MPI send a copy of the message.
int sendCopied(const SendArguments &a) {
  std::list<Leaving> &all = leaving();
  all.remove_if([](Leaving &one) {
    int done = 0;
    return PMPI_Test(&one.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done;
  });
  int size = 0, position = 0;
  int error = PMPI_Pack_size(a.count, a.datatype, a.communicator, &size);
  if (error != MPI_SUCCESS)
    return error;
  Leaving one;
  one.bytes.resize(static_cast<std::size_t>(size) + 1);
  error =
      PMPI_Pack(a.buffer, a.count, a.datatype, one.bytes.data(), size, &position, a.communicator);
  if (error != MPI_SUCCESS)
    return error;
  Leaving &kept = all.emplace_back(std::move(one));
  return PMPI_Isend(kept.bytes.data(), position, MPI_PACKED, a.destination, a.tag, a.communicator,
                    &kept.request);
}

int sendHalf(const void *frame, SharedCommunicator *communicator, Target *target,
             const SendArguments &a) {
  if (target) // a null request: the message is copied, and so complete
    return sendShared(frame, *communicator, *target, Mode::Buffered, a, nullptr);
  if (a.destination == MPI_PROC_NULL)
    return MPI_SUCCESS;
  try {
    return sendCopied(a);
  } catch (const std::bad_alloc &) {
    return raise(a.communicator, MPI_ERR_NO_MEM);
  }
}

/// The arguments of a receive.
struct ReceiveArguments {
  void *buffer;
  int count;
  MPI_Datatype datatype;
  int source, tag;
};

bool isOurs(const SharedCommunicator *communicator, const Target *target, int source) {
  return target || (communicator && communicator->serves(source));
}

/// Begins both halves, unless they concern only MPI; returns false then.
bool beginBoth(const void *frame, const SendArguments &out, const ReceiveArguments &in,
               bool replaces, MPI_Request *request, int &error) {
  flushBatches();
  messageSharing()->trafficOfMpi().noteUnknown(out.communicator);
  SharedCommunicator *communicator = nullptr;
  Target *target = request ? sharedTarget(out, communicator) : nullptr;
  if (!request || !isOurs(communicator, target, in.source))
    return false;
  const auto receive = [&] {
    return sendwright_exchange_MPI_Irecv(in.buffer, in.count, in.datatype, in.source, in.tag,
                                         out.communicator, request);
  };
  // The receive is posted first, so that the send may wait for it; but last, if it overwrites what
  // is sent.
  error = replaces ? MPI_SUCCESS : receive();
  if (error == MPI_SUCCESS)
    error = sendHalf(frame, communicator, target, out);
  if (error == MPI_SUCCESS && replaces)
    error = receive();
  flushBatches(); // it may go by route, and its receiver waits for it
  return true;
}

} // namespace

} // namespace sendwright::exchange

using namespace sendwright;
using namespace sendwright::exchange;

extern "C" {

int sendwright_exchange_MPI_Isendrecv(const void *sent, int sentCount, MPI_Datatype sentType,
                                      int destination, int sentTag, void *received,
                                      int receivedCount, MPI_Datatype receivedType, int source,
                                      int receivedTag, MPI_Comm communicator,
                                      MPI_Request *request) {
  int error = MPI_SUCCESS;
  return beginBoth(__builtin_frame_address(0),
                   {sent, sentCount, sentType, destination, sentTag, communicator},
                   {received, receivedCount, receivedType, source, receivedTag}, false, request,
                   error)
             ? error
             : sendwright_inner_MPI_Isendrecv(sent, sentCount, sentType, destination, sentTag,
                                              received, receivedCount, receivedType, source,
                                              receivedTag, communicator, request);
}

int sendwright_exchange_MPI_Isendrecv_replace(void *buffer, int count, MPI_Datatype datatype,
                                              int destination, int sentTag, int source,
                                              int receivedTag, MPI_Comm communicator,
                                              MPI_Request *request) {
  int error = MPI_SUCCESS;
  return beginBoth(__builtin_frame_address(0),
                   {buffer, count, datatype, destination, sentTag, communicator},
                   {buffer, count, datatype, source, receivedTag}, true, request, error)
             ? error
             : sendwright_inner_MPI_Isendrecv_replace(buffer, count, datatype, destination, sentTag,
                                                      source, receivedTag, communicator, request);
}
}

#endif
