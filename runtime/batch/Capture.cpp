// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a send inside an open batch: it is held; or, if holding it could be noticed, all
// that is held is issued and the send runs as written. A send that MPI would reject runs as written
// too, so that the error appears at the program's own call.

#include "runtime/base/Interception.h"
#include "runtime/base/MpiDifferences.h"
#include "runtime/batch/Batch.h"
#include "runtime/interception/Wrappers.h"

#include <climits>
#include <cstring>
#include <new>

namespace sendwright {

namespace {

/// The batch if its innermost scope does something with a send called from `frame`, or null.
Batch *activeBatch(const void *frame) {
  Batch *batch = currentBatch();
  if (!batch || fortranCalls)
    return nullptr;
  if (!batch->open()) {
    batch->endTime();
    return nullptr;
  }
  batch->endAbandoned(frame);
  return batch->capturing() ? batch : nullptr;
}

} // namespace

Batch *openBatch(const void *frame) {
  Batch *batch = activeBatch(frame);
  return batch && !batch->sender() ? batch : nullptr;
}

const CopySender *openSender(const void *frame) {
  const Batch *batch = activeBatch(frame);
  return batch ? batch->sender() : nullptr;
}

namespace {

using BlockingSend = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
using NonblockingSend = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/// Whether the send may be held at all.
bool holdable(Batch &batch, const SendArguments &a) {
  if (batch.issuing() || a.communicator == MPI_COMM_NULL || a.datatype == MPI_DATATYPE_NULL)
    return false;
  const CommunicatorInfo &info = batch.communicator(a.communicator);
  return !info.intercommunicator && a.destination >= 0 && a.destination < info.size &&
         a.count >= 0 && a.tag >= 0 && a.tag <= batch.tagLimit;
}

int runBlocking(BlockingSend send, const SendArguments &a) {
  return send(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator);
}

int runNonblocking(NonblockingSend send, const SendArguments &a, MPI_Request *request) {
  return send(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, request);
}

/// Copies a blocking send's data, so that the program may overwrite it, where `fits(bytes)`, into
/// `allocate(bytes)`. Returns false if it must not be copied (no room, nothing to read from, MPI
/// objects).
template <typename Fits, typename Allocate>
bool copyInto(Batch &batch, SendArguments &a, Fits fits, Allocate allocate) {
  const DatatypeFacts facts = batch.datatype(a.datatype);
  MPI_Count bytes = 0;
  if (facts.size < 0 || __builtin_mul_overflow(facts.size, MPI_Count(a.count), &bytes) ||
      !fits(bytes))
    return false;
  if (facts.plainMemory) {
    if (bytes == 0)
      return true;
    if (!a.buffer)
      return false;
    void *room = allocate(bytes);
    if (!room)
      return false;
    a.buffer = std::memcpy(room, a.buffer, bytes);
    return true;
  }
  int size = 0, position = 0;
  if (bytes > INT_MAX || (!packsFromNull && !a.buffer) ||
      PMPI_Pack_size(a.count, a.datatype, a.communicator, &size) != MPI_SUCCESS || !fits(size))
    return false;
  void *packed = allocate(size);
  if (!packed || PMPI_Pack(a.buffer, a.count, a.datatype, packed, size, &position,
                           a.communicator) != MPI_SUCCESS)
    return false;
  a.buffer = packed;
  a.count = position;
  a.datatype = MPI_PACKED;
  return true;
}

bool holdBlocking(Batch &batch, SendArguments a, SendMode mode) {
  try {
    // The program's own error handler must see errors where it expects them.
    if (!holdable(batch, a) || !batch.communicator(a.communicator).defaultErrorHandler)
      return false;
    batch.reserveOne();
    if (!batch.stableBuffers() &&
        !copyInto(
            batch, a, [&](MPI_Count bytes) { return batch.roomToCopy(bytes); },
            [&](MPI_Count bytes) { return batch.copyBuffer(bytes); }))
      return false;
    batch.holdCopy(a, mode);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

/// Lets a send leave from a copy; `request` is null for a blocking one. Returns false if it runs as
/// written.
bool sendCopy(Batch &batch, SendArguments a, MPI_Request *request, int &error) {
  try {
    CopySender &sender = *batch.sender();
    if (!holdable(batch, a) || !batch.communicator(a.communicator).defaultErrorHandler ||
        !copyInto(
            batch, a, [&](MPI_Count bytes) { return sender.takes(bytes); },
            [&](MPI_Count bytes) { return sender.allocate(bytes, request == nullptr); }))
      return false;
    error = sender.send(a, request);
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

/// The same at a scope with a CopySender.
bool sendAtOnce(const void *frame, SendMode mode, const SendArguments &a, MPI_Request *request,
                int &error) {
  if (mode != SendMode::Standard || a.destination == MPI_PROC_NULL)
    return false;
  Batch *batch = activeBatch(frame);
  return batch && batch->sender() && sendCopy(*batch, a, request, error);
}

int sendBlocking(const void *frame, BlockingSend send, SendMode mode, const SendArguments &a) {
  int error = MPI_SUCCESS;
  if (sendAtOnce(frame, mode, a, nullptr, error))
    return error;
  Batch *batch = openBatch(frame);
  if (!batch || a.destination == MPI_PROC_NULL)
    return runBlocking(send, a);
  if (holdBlocking(*batch, a, mode))
    return MPI_SUCCESS;
  batch->flush();
  return runBlocking(send, a);
}

int sendNonblocking(const void *frame, NonblockingSend send, NonblockingSend initialize,
                    SendMode mode, const SendArguments &a, MPI_Request *request) {
  int error = MPI_SUCCESS;
  if (request && sendAtOnce(frame, mode, a, request, error))
    return error;
  Batch *batch = openBatch(frame);
  if (!batch || a.destination == MPI_PROC_NULL)
    return runNonblocking(send, a, request);
  bool hold = false;
  std::unique_ptr<LeadingPart> part;
  try {
    hold = request && holdable(*batch, a);
    if (hold)
      batch->reserveOne();
    if (hold && mode == SendMode::Standard)
      part = batch->leadingPartOf(a);
  } catch (const std::bad_alloc &) {
    hold = false;
  }
  if (!hold) {
    batch->flush();
    return runNonblocking(send, a, request);
  }
  const auto initializeIt = [&](const SendArguments &sent) {
    return runNonblocking(initialize, sent, request);
  };
  error = part ? part->pass(initializeIt) : initializeIt(a);
  if (error == MPI_SUCCESS)
    batch->holdRequest(a, mode, *request, std::move(part));
  return error;
}

} // namespace

} // namespace sendwright

using namespace sendwright;

extern "C" {

int sendwright_batch_MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int destination,
                              int tag, MPI_Comm communicator) {
  return sendBlocking(__builtin_frame_address(0), sendwright_next_MPI_Send, SendMode::Standard,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_batch_MPI_Bsend(const void *buffer, int count, MPI_Datatype datatype,
                               int destination, int tag, MPI_Comm communicator) {
  return sendBlocking(__builtin_frame_address(0), sendwright_next_MPI_Bsend, SendMode::Buffered,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_batch_MPI_Rsend(const void *buffer, int count, MPI_Datatype datatype,
                               int destination, int tag, MPI_Comm communicator) {
  return sendBlocking(__builtin_frame_address(0), sendwright_next_MPI_Rsend, SendMode::Ready,
                      {buffer, count, datatype, destination, tag, communicator});
}

int sendwright_batch_MPI_Isend(const void *buffer, int count, MPI_Datatype datatype,
                               int destination, int tag, MPI_Comm communicator,
                               MPI_Request *request) {
  return sendNonblocking(__builtin_frame_address(0), sendwright_next_MPI_Isend,
                         sendwright_next_MPI_Send_init, SendMode::Standard,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_batch_MPI_Ibsend(const void *buffer, int count, MPI_Datatype datatype,
                                int destination, int tag, MPI_Comm communicator,
                                MPI_Request *request) {
  return sendNonblocking(__builtin_frame_address(0), sendwright_next_MPI_Ibsend,
                         sendwright_next_MPI_Bsend_init, SendMode::Buffered,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_batch_MPI_Irsend(const void *buffer, int count, MPI_Datatype datatype,
                                int destination, int tag, MPI_Comm communicator,
                                MPI_Request *request) {
  return sendNonblocking(__builtin_frame_address(0), sendwright_next_MPI_Irsend,
                         sendwright_next_MPI_Rsend_init, SendMode::Ready,
                         {buffer, count, datatype, destination, tag, communicator}, request);
}
}
