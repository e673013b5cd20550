// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that complete requests. A captured request is persistent: MPI completes it and leaves it
// inactive, where the program expects it freed and its handle null. So each call issues what is
// held (a request that was not started would complete at once), lets MPI wait, and releases the
// completed requests.
//
// Where MPI may leave an output unset on an error, a local variable receives it.

#include "runtime/base/Interception.h"
#include "runtime/batch/Batch.h"
#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"

namespace sendwright {

namespace {

/// Around a call that completes requests: issues what is held before, and notes that the program
/// has waited.
class WaitingCall {
public:
  WaitingCall() : batch(currentBatch()) {
    if (batch) {
      batch->flush();
      batch->endAbandoned(__builtin_frame_address(0));
    }
  }
  ~WaitingCall() {
    if (batch)
      batch->noteWait();
  }
  WaitingCall(const WaitingCall &) = delete;
  WaitingCall &operator=(const WaitingCall &) = delete;

private:
  Batch *batch;
};

void release(MPI_Request *request) {
  if (Batch *batch = currentBatch(); batch && request)
    batch->release(request);
}

/// Releases what a Waitall or Testall completed.
void releaseAll(int error, int count, MPI_Request *requests) {
  Batch *batch = currentBatch();
  if (!batch || !requests)
    return;
  for (int index = 0; index < count; ++index) {
    if (!batch->captured(requests[index]))
      continue;
    int done = 1; // after an error some may still be under way
    if (error != MPI_SUCCESS)
      PMPI_Request_get_status(requests[index], &done, MPI_STATUS_IGNORE);
    if (done)
      batch->release(&requests[index]);
  }
}

/// Releases what a Waitsome or Testsome completed.
void releaseSome(int error, int completed, const int *indices, MPI_Request *requests) {
  int errorClass = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    PMPI_Error_class(error, &errorClass);
  if ((errorClass != MPI_SUCCESS && errorClass != MPI_ERR_IN_STATUS) || completed == MPI_UNDEFINED)
    return;
  for (int which = 0; which < completed; ++which)
    release(&requests[indices[which]]);
}

} // namespace

} // namespace sendwright

using namespace sendwright;

extern "C" {

int sendwright_batch_MPI_Wait(MPI_Request *request, MPI_Status *status) {
  const WaitingCall call;
  const int error = sendwright_next_MPI_Wait(request, status);
  release(request);
  return error;
}

int sendwright_batch_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  const WaitingCall call;
  const int error = sendwright_next_MPI_Waitall(count, requests, statuses);
  releaseAll(error, count, requests);
  return error;
}

int sendwright_batch_MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  const WaitingCall call;
  int completed = MPI_UNDEFINED;
  const int error =
      sendwright_next_MPI_Waitany(count, requests, index ? &completed : nullptr, status);
  if (completed != MPI_UNDEFINED)
    release(&requests[completed]);
  if (index && (error == MPI_SUCCESS || completed != MPI_UNDEFINED))
    *index = completed;
  return error;
}

int sendwright_batch_MPI_Waitsome(int count, MPI_Request *requests, int *completed, int *indices,
                                  MPI_Status *statuses) {
  const WaitingCall call;
  const int error = sendwright_next_MPI_Waitsome(count, requests, completed, indices, statuses);
  if (completed)
    releaseSome(error, *completed, indices, requests);
  return error;
}

int sendwright_batch_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  const WaitingCall call;
  int done = 0;
  const int error = sendwright_next_MPI_Test(request, flag ? &done : nullptr, status);
  if (done)
    release(request);
  if (flag && (error == MPI_SUCCESS || done))
    *flag = done;
  return error;
}

int sendwright_batch_MPI_Testall(int count, MPI_Request *requests, int *flag,
                                 MPI_Status *statuses) {
  const WaitingCall call;
  int done = 0;
  const int error = sendwright_next_MPI_Testall(count, requests, flag ? &done : nullptr, statuses);
  if (done || error != MPI_SUCCESS)
    releaseAll(error, count, requests);
  if (flag && (error == MPI_SUCCESS || done))
    *flag = done;
  return error;
}

int sendwright_batch_MPI_Testany(int count, MPI_Request *requests, int *index, int *flag,
                                 MPI_Status *status) {
  const WaitingCall call;
  int completed = MPI_UNDEFINED;
  const int error =
      sendwright_next_MPI_Testany(count, requests, index ? &completed : nullptr, flag, status);
  if (completed != MPI_UNDEFINED)
    release(&requests[completed]);
  if (index && (error == MPI_SUCCESS || completed != MPI_UNDEFINED))
    *index = completed;
  return error;
}

int sendwright_batch_MPI_Testsome(int count, MPI_Request *requests, int *completed, int *indices,
                                  MPI_Status *statuses) {
  const WaitingCall call;
  const int error = sendwright_next_MPI_Testsome(count, requests, completed, indices, statuses);
  if (completed)
    releaseSome(error, *completed, indices, requests);
  return error;
}

int sendwright_batch_MPI_Request_free(MPI_Request *request) {
  flushBatches();
  if (Batch *batch = currentBatch();
      batch && request) { // before MPI may give the handle to another request
    batch->forget(*request);
    batch->persistent.forget(*request);
  }
  return sendwright_next_MPI_Request_free(request);
}

int sendwright_batch_MPI_Cancel(MPI_Request *request) {
  flushBatches();
  return sendwright_next_MPI_Cancel(request);
}
}
