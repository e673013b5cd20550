// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests are remembered when they are created, and their starts are held within a
// batch. The request stays the program's: only MPI completes it.

#include "runtime/batch/PersistentRequests.h"

#include "runtime/base/Interception.h"
#include "runtime/base/MpiDifferences.h"
#include "runtime/batch/Batch.h"
#include "runtime/interception/Wrappers.h"

#include <algorithm>
#include <climits>
#include <new>

namespace sendwright {

const PersistentRequest *PersistentRequests::startable(MPI_Request handle) const {
  const PersistentRequest *request = known.find(handle);
  if (!request || !request->sends)
    return request;
  // If its communicator was freed, or now has another error handler, it starts as written.
  const CommunicatorInfo *info = knownCommunicator(request->arguments.communicator);
  return info && info->number == request->communicatorNumber ? request : nullptr;
}

namespace {

using Initialize = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/// The handle may belong to a request that was freed unseen by the runtime.
void forget(const MPI_Request *request) {
  if (Batch *batch = currentBatch(); batch && request)
    batch->persistent.forget(*request);
}

int makeSend(Initialize initialize, SendMode mode, SendArguments a, MPI_Request *request) {
  const int error =
      initialize(a.buffer, a.count, a.datatype, a.destination, a.tag, a.communicator, request);
  Batch *batch = currentBatch();
  if (error != MPI_SUCCESS || !batch)
    return error;
  forget(request);
  if (!keepsHandle(mode)) // the program must get from that call what its start returns
    return error;
  try {
    if (a.destination == MPI_PROC_NULL) {
      batch->persistent.remember(*request, {});
      return error;
    }
    // The datatype may be freed while the request lives. From here on, only its size matters.
    MPI_Count size = 0;
    PMPI_Type_size_x(a.datatype, &size);
    a.count = static_cast<int>(std::min<MPI_Count>(size * a.count, INT_MAX));
    a.datatype = MPI_BYTE;
    const CommunicatorInfo &info = communicatorInfo(a.communicator);
    if (!info.intercommunicator)
      batch->persistent.remember(*request,
                                 {true, mode, a, info.worldRank(a.destination), info.number});
  } catch (const std::bad_alloc &) {
    return error; // it starts as written
  }
  return error;
}

/// Holds or starts as many of the requests as possible, and returns their number; -1 with `error`
/// if MPI refused one.
int startInBatch(Batch &batch, int count, MPI_Request *requests, int &error) {
  for (int index = 0; index < count; ++index) {
    const PersistentRequest &request = *batch.persistent.startable(requests[index]);
    if (!request.sends) {
      error = sendwright_next_MPI_Start(&requests[index]);
      if (error != MPI_SUCCESS)
        return -1;
      continue;
    }
    try {
      batch.reserveOne();
    } catch (const std::bad_alloc &) {
      return index;
    }
    batch.holdStart(request, requests[index]);
  }
  return count;
}

int startAll(const void *frame, int count, MPI_Request *requests) {
  Batch *batch = openBatch(frame);
  int started = 0, error = MPI_SUCCESS;
  if (batch && !batch->issuing() && requests &&
      std::all_of(requests, requests + std::max(count, 0), [&](MPI_Request request) {
        return batch->persistent.startable(request) != nullptr;
      }))
    started = startInBatch(*batch, count, requests, error);
  if (started < 0 || (started > 0 && started == count))
    return error;
  if (batch)
    batch->flush();
  return count == 1 ? sendwright_next_MPI_Start(requests)
                    : sendwright_next_MPI_Startall(count - started, requests + started);
}

} // namespace

} // namespace sendwright

using namespace sendwright;

extern "C" {

int sendwright_batch_MPI_Send_init(const void *buffer, int count, MPI_Datatype datatype,
                                   int destination, int tag, MPI_Comm communicator,
                                   MPI_Request *request) {
  return makeSend(sendwright_next_MPI_Send_init, SendMode::Standard,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_batch_MPI_Bsend_init(const void *buffer, int count, MPI_Datatype datatype,
                                    int destination, int tag, MPI_Comm communicator,
                                    MPI_Request *request) {
  return makeSend(sendwright_next_MPI_Bsend_init, SendMode::Buffered,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_batch_MPI_Rsend_init(const void *buffer, int count, MPI_Datatype datatype,
                                    int destination, int tag, MPI_Comm communicator,
                                    MPI_Request *request) {
  return makeSend(sendwright_next_MPI_Rsend_init, SendMode::Ready,
                  {buffer, count, datatype, destination, tag, communicator}, request);
}

int sendwright_batch_MPI_Ssend_init(const void *buffer, int count, MPI_Datatype datatype,
                                    int destination, int tag, MPI_Comm communicator,
                                    MPI_Request *request) {
  // It is never held: other ranks may rely on what its completion implies.
  const int error = sendwright_next_MPI_Ssend_init(buffer, count, datatype, destination, tag,
                                                   communicator, request);
  if (error == MPI_SUCCESS)
    forget(request);
  return error;
}

int sendwright_batch_MPI_Recv_init(void *buffer, int count, MPI_Datatype datatype, int source,
                                   int tag, MPI_Comm communicator, MPI_Request *request) {
  const int error =
      sendwright_next_MPI_Recv_init(buffer, count, datatype, source, tag, communicator, request);
  Batch *batch = currentBatch();
  if (error != MPI_SUCCESS || !batch)
    return error;
  forget(request);
  try {
    batch->persistent.remember(*request, {});
  } catch (const std::bad_alloc &) {
    return error;
  }
  return error;
}

int sendwright_batch_MPI_Start(MPI_Request *request) {
  return startAll(__builtin_frame_address(0), 1, request);
}

int sendwright_batch_MPI_Startall(int count, MPI_Request *requests) {
  return startAll(__builtin_frame_address(0), count, requests);
}
}
