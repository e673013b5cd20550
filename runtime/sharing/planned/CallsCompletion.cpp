// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that complete requests. MPI knows when they are complete, so each wait is a loop that makes
// progress and tests them; then MPI completes them. The outcome of a completed receive of the
// runtime is then written into its status, because not every MPI takes it from a generalised
// request. Persistent requests of the runtime are inactive for MPI, which returns at once for them
// and never says that one of them is complete: the runtime does so before MPI is asked.

#include "runtime/batch/Flush.h"
#include "runtime/interception/Wrappers.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <vector>

namespace sendwright::exchange {

namespace {

int worse(int error, int ours) { return error != MPI_SUCCESS ? error : ours; }

PersistentState persistentState(MPI_Request request) {
  const ProgramRequests &known = messageSharing()->requests();
  return known.anyPersistent() ? known.persistentState(request) : PersistentState::NotOurs;
}

/// Whether one of the requests is a persistent one of the runtime that is under way.
bool anyUnderWay(int count, const MPI_Request *requests) {
  return requests && messageSharing()->requests().anyPersistent() &&
         std::any_of(requests, requests + std::max(count, 0), [](MPI_Request request) {
           return persistentState(request) == PersistentState::UnderWay;
         });
}

void emptyStatus(MPI_Status *status) {
  MPI_Request none = MPI_REQUEST_NULL;
  PMPI_Wait(&none, status);
}

/// The runtime's requests among those of a call, as they were before the call: receives that are
/// active, and persistent sends.
class Completing {
public:
  Completing(int count, const MPI_Request *requests) {
    const ProgramRequests &known = messageSharing()->requests();
    if ((!known.anyReceives() && !known.anyPersistent()) || !requests)
      return;
    for (int index = 0; index < count; ++index) {
      PostedReceive *receive = known.receive(requests[index]);
      PersistentSend *send = known.send(requests[index]);
      if ((receive && receive->active) || send)
        entries.push_back({index, receive, send});
    }
  }

  /// The request with that index is complete. Returns its error code.
  int finish(int index, MPI_Status *status) {
    for (const Entry &entry : entries)
      if (entry.index == index)
        return finish(entry, status);
    return MPI_SUCCESS;
  }
  /// All requests are complete. Returns MPI_ERR_IN_STATUS if any had an error.
  int finishAll(MPI_Status *statuses) {
    int error = MPI_SUCCESS;
    for (const Entry &entry : entries)
      if (finish(entry,
                 statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[entry.index]))
        error = MPI_ERR_IN_STATUS;
    return error;
  }
  bool anyReceives() const {
    return std::ranges::any_of(entries, [](const Entry &entry) { return entry.receive; });
  }
  int finishSome(int count, const int *indices, MPI_Status *statuses) {
    int error = MPI_SUCCESS;
    for (int which = 0; !entries.empty() && which < count; ++which)
      if (finish(indices[which],
                 statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[which]))
        error = MPI_ERR_IN_STATUS;
    return error;
  }

private:
  struct Entry {
    int index;
    PostedReceive *receive; ///< or else:
    PersistentSend *send;
  };
  /// What was wrong with the message of a send has been said when it left.
  static int finish(const Entry &entry, MPI_Status *status) {
    if (entry.receive)
      return finish(*entry.receive, status);
    entry.send->active = false;
    return MPI_SUCCESS;
  }
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

  std::vector<Entry> entries;
};

/// Completes a persistent request of the runtime that is done. Returns its error code.
int finishPersistent(MPI_Request *request, MPI_Status *status) {
  emptyStatus(status);
  return Completing(1, request).finish(0, status);
}

/// Completes the first persistent request of the runtime that is done, and returns its index;
/// MPI_UNDEFINED if there is none.
int finishAnyPersistent(int count, MPI_Request *requests, MPI_Status *status, int &error) {
  for (int index = 0; requests && index < count; ++index)
    if (persistentState(requests[index]) == PersistentState::Done) {
      error = finishPersistent(&requests[index], status);
      return index;
    }
  return MPI_UNDEFINED;
}

/// MPI_Testany that knows the runtime's requests; `completing` is made from these.
int testAny(Completing &completing, int count, MPI_Request *requests, int *index, int *flag,
            MPI_Status *status) {
  int error = MPI_SUCCESS;
  *flag = 1;
  *index = finishAnyPersistent(count, requests, status, error);
  if (*index != MPI_UNDEFINED)
    return error;
  error = sendwright_inner_MPI_Testany(count, requests, index, flag, status);
  if (error != MPI_SUCCESS || !*flag)
    return error;
  if (*index != MPI_UNDEFINED)
    return completing.finish(*index, status);
  *flag = !anyUnderWay(count, requests) && !(isSimulated && completing.anyReceives());
  return error;
}

/// Likewise MPI_Testsome.
int testSome(Completing &completing, int count, MPI_Request *requests, int *completed, int *indices,
             MPI_Status *statuses) {
  int own = 0, error = MPI_SUCCESS;
  const auto statusOf = [&](int which) {
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[which];
  };
  for (int index = 0; requests && index < count; ++index)
    if (persistentState(requests[index]) == PersistentState::Done) {
      if (finishPersistent(&requests[index], statusOf(own)) != MPI_SUCCESS)
        error = MPI_ERR_IN_STATUS;
      indices[own++] = index;
    }
  MPI_Status *rest = statuses == MPI_STATUSES_IGNORE ? MPI_STATUSES_IGNORE : statuses + own;
  const int ofMpi = sendwright_inner_MPI_Testsome(count, requests, completed, indices + own, rest);
  if (ofMpi == MPI_SUCCESS && *completed != MPI_UNDEFINED &&
      completing.finishSome(*completed, indices + own, rest) != MPI_SUCCESS)
    error = MPI_ERR_IN_STATUS;
  if (*completed != MPI_UNDEFINED)
    *completed += own;
  else if (own > 0 || anyUnderWay(count, requests))
    *completed = own;
  return worse(ofMpi, error);
}

// Waits under SMPI.

void copyStatus(const MPI_Status &from, MPI_Status *to) {
  if (to != MPI_STATUS_IGNORE)
    *to = from;
}

/// Completes one of the runtime's receives that is done.
int completeOwn(MPI_Request *request, MPI_Status *status) {
  if (persistentState(*request) != PersistentState::NotOurs)
    return finishPersistent(request, status);
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
      if (PersistentSend *send = messageSharing()->requests().send(request)) {
        active |= send->active;
        if (!send->active || send->message != MPI_REQUEST_NULL)
          continue;
        error = completeOwn(&request, status);
        return index;
      }
      int done = 0, which = MPI_UNDEFINED;
      if (currentBatch()->persistent.contains(request)) // it may be inactive
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
  if (const PersistentState state = persistentState(request); state != PersistentState::NotOurs)
    return state != PersistentState::UnderWay;
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
  if (anyUnderWay(1, request)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  Completing completing(1, request);
  const int error = sendwright_inner_MPI_Test(request, flag, status);
  return error == MPI_SUCCESS && *flag ? completing.finish(0, status) : error;
}

int sendwright_exchange_MPI_Testall(int count, MPI_Request *requests, int *flag,
                                    MPI_Status *statuses) {
  progress();
  if (anyUnderWay(count, requests)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
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
  return testAny(completing, count, requests, index, flag, status);
}

int sendwright_exchange_MPI_Testsome(int count, MPI_Request *requests, int *completed, int *indices,
                                     MPI_Status *statuses) {
  progress();
  Completing completing(count, requests);
  return testSome(completing, count, requests, completed, indices, statuses);
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
        error = testAny(completing, count, requests, index, &done, status);
        return done || error != MPI_SUCCESS;
      },
      [] { return waitingIn("MPI_Waitany"); });
  return error;
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
        error = testSome(completing, count, requests, completed, indices, statuses);
        return error != MPI_SUCCESS || *completed != 0; // MPI_UNDEFINED if no request is active
      },
      [] { return waitingIn("MPI_Waitsome"); });
  return error;
}

int sendwright_exchange_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  flushBatches();
  progress();
  if (anyUnderWay(1, &request)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  const PostedReceive *receive = messageSharing()->requests().receive(request);
  const int error = PMPI_Request_get_status(request, flag, status);
  if (error == MPI_SUCCESS && *flag && receive && receive->active)
    fillStatus(*receive, status);
  return error;
}
}
