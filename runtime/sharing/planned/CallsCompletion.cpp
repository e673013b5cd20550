// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that complete requests. MPI knows when they are complete, so each wait is a loop that makes
// progress and tests them; then MPI completes them. The outcome of a completed receive of the
// runtime is then written into its status, because not every MPI takes it from a generalised
// request.

#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

namespace sendwright::exchange {

namespace {

/// The runtime's receives among the requests of a call, as they were before the call.
class Completing {
public:
  Completing(int count, const MPI_Request *requests) {
    if (!messageSharing()->requests().anyReceives() || !requests)
      return;
    for (int index = 0; index < count; ++index)
      if (PostedReceive *receive = messageSharing()->requests().receive(requests[index]);
          receive && receive->active)
        receives.push_back({index, receive});
  }

  /// The request with that index is complete. Returns its error code.
  int finish(int index, MPI_Status *status) {
    for (const Entry &entry : receives)
      if (entry.index == index)
        return finish(*entry.receive, status);
    return MPI_SUCCESS;
  }
  /// All requests are complete. Returns MPI_ERR_IN_STATUS if any had an error.
  int finishAll(MPI_Status *statuses) {
    int error = MPI_SUCCESS;
    for (const Entry &entry : receives)
      if (finish(*entry.receive,
                 statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[entry.index]))
        error = MPI_ERR_IN_STATUS;
    return error;
  }
  bool any() const { return !receives.empty(); }
  int finishSome(int count, const int *indices, MPI_Status *statuses) {
    int error = MPI_SUCCESS;
    for (int which = 0; !receives.empty() && which < count; ++which)
      if (finish(indices[which],
                 statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[which]))
        error = MPI_ERR_IN_STATUS;
    return error;
  }

private:
  struct Entry {
    int index;
    PostedReceive *receive;
  };
  static int finish(PostedReceive &receive, MPI_Status *status) {
    fillStatus(receive, status);
    const int error = receive.error;
    if (error != MPI_SUCCESS && status != MPI_STATUS_IGNORE)
      status->MPI_ERROR = error;
    raise(receive.handle, error);
    receive.active = false;
    if (!receive.persistent) {
      messageSharing()->requests().forget(receive);
      release(&receive);
    }
    return error;
  }

  std::vector<Entry> receives;
};

int worse(int error, int ours) { return error != MPI_SUCCESS ? error : ours; }

// Waits under SMPI.

void copyStatus(const MPI_Status &from, MPI_Status *to) {
  if (to != MPI_STATUS_IGNORE)
    *to = from;
}

void emptyStatus(MPI_Status *status) {
  MPI_Request none = MPI_REQUEST_NULL;
  PMPI_Wait(&none, status);
}

/// Completes one of the runtime's receives that is done.
int completeOwn(MPI_Request *request, MPI_Status *status) {
  Completing completing(1, request);
  const int error = sendwright_inner_MPI_Wait(request, status);
  return worse(error, error == MPI_SUCCESS ? completing.finish(0, status) : MPI_SUCCESS);
}

/// Waits until one more of the requests is complete, completes it, and returns its index;
/// MPI_UNDEFINED if none is active. Under SMPI, testing a request takes simulated time, and
/// MPI_Request_get_status calls every request of MPI complete: so MPI waits for all of them at
/// once, and for what arrives here.
int waitForNext(int count, MPI_Request *requests, MPI_Status *status, int &error) {
  noteWait();
  while (true) {
    Awaited awaited;
    std::vector<int> indices;
    bool active = false;
    for (int index = 0; requests && index < count; ++index) {
      MPI_Request &request = requests[index];
      if (request == MPI_REQUEST_NULL)
        continue;
      if (const PostedReceive *receive = messageSharing()->requests().receive(request)) {
        active |= receive->active;
        if (!receive->active || !receive->done)
          continue;
        error = completeOwn(&request, status);
        return index;
      }
      int done = 0, which = MPI_UNDEFINED;
      if (currentBatch()->persistent.contains(request) || // it may be inactive
          messageSharing()->requests().send(request))
        error = PMPI_Testany(1, &request, &which, &done, status);
      if (done && which == MPI_UNDEFINED)
        continue;
      if (done)
        return index;
      awaited.requests.push_back(&request);
      indices.push_back(index);
    }
    if (!active && indices.empty())
      return MPI_UNDEFINED;
    messageSharing()->makeProgress(awaited);
    if (awaited.ended >= 0) {
      const int index = indices[static_cast<std::size_t>(awaited.ended)];
      currentBatch()->release(&requests[index]);
      copyStatus(awaited.status, status);
      error = awaited.error;
      return index;
    }
  }
}

/// MPI_Waitall by waitForNext().
int waitForAllInTurn(int count, MPI_Request *requests, MPI_Status *statuses) {
  for (int index = 0; statuses != MPI_STATUSES_IGNORE && index < count; ++index)
    emptyStatus(&statuses[index]);
  int result = MPI_SUCCESS, ended = MPI_SUCCESS;
  MPI_Status status;
  for (int index = 0; (index = waitForNext(count, requests, &status, ended)) != MPI_UNDEFINED;) {
    if (statuses != MPI_STATUSES_IGNORE)
      statuses[index] = status;
    if (ended != MPI_SUCCESS)
      result = MPI_ERR_IN_STATUS;
  }
  return result;
}

// Waits elsewhere.

/// Whether MPI's test of the request would find it complete.
bool isComplete(MPI_Request request) {
  if (request == MPI_REQUEST_NULL)
    return true;
  if (const PostedReceive *receive = messageSharing()->requests().receive(request);
      receive && receive->active)
    return receive->done;
  int done = 0;
  return PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
}

/// Waits for one request after another, so that many requests are not tested again and again.
void waitForEach(int count, const MPI_Request *requests) {
  for (int index = 0; requests && index < count; ++index)
    if (!isComplete(requests[index])) {
      const PostedReceive *receive = messageSharing()->requests().receive(requests[index]);
      waitUntil([&] { return isComplete(requests[index]); },
                [] { return waitingIn("MPI_Waitall"); }, receive != nullptr);
    }
}

} // namespace

} // namespace sendwright::exchange

using namespace sendwright;
using namespace sendwright::exchange;

extern "C" {

int sendwright_exchange_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  progress();
  Completing completing(1, request);
  const int error = sendwright_inner_MPI_Test(request, flag, status);
  return error == MPI_SUCCESS && *flag ? completing.finish(0, status) : error;
}

int sendwright_exchange_MPI_Testall(int count, MPI_Request *requests, int *flag,
                                    MPI_Status *statuses) {
  progress();
  Completing completing(count, requests);
  const int error = sendwright_inner_MPI_Testall(count, requests, flag, statuses);
  return error == MPI_SUCCESS && *flag ? completing.finishAll(statuses) : error;
}

int sendwright_exchange_MPI_Testany(int count, MPI_Request *requests, int *index, int *flag,
                                    MPI_Status *status) {
  progress();
  // SMPI's function does not see generalised requests.
  for (int which = 0; isSimulated && requests && which < count; ++which)
    if (const PostedReceive *receive = messageSharing()->requests().receive(requests[which]);
        receive && receive->active && receive->done) {
      *flag = 1;
      *index = which;
      return completeOwn(&requests[which], status);
    }
  Completing completing(count, requests);
  const int error = sendwright_inner_MPI_Testany(count, requests, index, flag, status);
  if (isSimulated && error == MPI_SUCCESS && *flag && *index == MPI_UNDEFINED)
    *flag = !completing.any();
  return error == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED
             ? completing.finish(*index, status)
             : error;
}

int sendwright_exchange_MPI_Testsome(int count, MPI_Request *requests, int *completed, int *indices,
                                     MPI_Status *statuses) {
  progress();
  Completing completing(count, requests);
  const int error = sendwright_inner_MPI_Testsome(count, requests, completed, indices, statuses);
  return error == MPI_SUCCESS && *completed != MPI_UNDEFINED
             ? completing.finishSome(*completed, indices, statuses)
             : error;
}

int sendwright_exchange_MPI_Wait(MPI_Request *request, MPI_Status *status) {
  flushBatches();
  if (isSimulated) {
    int ended = MPI_SUCCESS;
    if (waitForNext(1, request, status, ended) != MPI_UNDEFINED)
      return ended;
  } else {
    waitForEach(1, request);
  }
  Completing completing(1, request);
  const int error = sendwright_inner_MPI_Wait(request, status);
  return worse(error, error == MPI_SUCCESS ? completing.finish(0, status) : MPI_SUCCESS);
}

int sendwright_exchange_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  flushBatches();
  if (isSimulated)
    return waitForAllInTurn(count, requests, statuses);
  waitForEach(count, requests);
  Completing completing(count, requests);
  const int error = sendwright_inner_MPI_Waitall(count, requests, statuses);
  return worse(error, error == MPI_SUCCESS || error == MPI_ERR_IN_STATUS
                          ? completing.finishAll(statuses)
                          : MPI_SUCCESS);
}

int sendwright_exchange_MPI_Waitany(int count, MPI_Request *requests, int *index,
                                    MPI_Status *status) {
  flushBatches();
  int error = MPI_SUCCESS, done = 0;
  if (isSimulated) {
    *index = waitForNext(count, requests, status, error);
    if (*index == MPI_UNDEFINED)
      emptyStatus(status);
    return error;
  }
  Completing completing(count, requests);
  waitUntil(
      [&] {
        error = sendwright_inner_MPI_Testany(count, requests, index, &done, status);
        return done || error != MPI_SUCCESS;
      },
      [] { return waitingIn("MPI_Waitany"); });
  return worse(error,
               done && *index != MPI_UNDEFINED ? completing.finish(*index, status) : MPI_SUCCESS);
}

int sendwright_exchange_MPI_Waitsome(int count, MPI_Request *requests, int *completed, int *indices,
                                     MPI_Status *statuses) {
  flushBatches();
  int error = MPI_SUCCESS;
  if (isSimulated) {
    *indices = waitForNext(count, requests, statuses, error); // a single status, or to be ignored
    *completed = *indices == MPI_UNDEFINED ? MPI_UNDEFINED : 1;
    return error == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_IN_STATUS;
  }
  Completing completing(count, requests);
  waitUntil(
      [&] {
        error = sendwright_inner_MPI_Testsome(count, requests, completed, indices, statuses);
        return error != MPI_SUCCESS || *completed != 0; // MPI_UNDEFINED if no request is active
      },
      [] { return waitingIn("MPI_Waitsome"); });
  return worse(error, error == MPI_SUCCESS && *completed != MPI_UNDEFINED
                          ? completing.finishSome(*completed, indices, statuses)
                          : MPI_SUCCESS);
}

int sendwright_exchange_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  flushBatches();
  progress();
  const PostedReceive *receive = messageSharing()->requests().receive(request);
  const int error = PMPI_Request_get_status(request, flag, status);
  if (error == MPI_SUCCESS && *flag && receive && receive->active)
    fillStatus(*receive, status);
  return error;
}
}
