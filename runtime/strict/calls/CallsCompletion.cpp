// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that complete requests. MPI knows when the program's requests are complete (Requests.h), so
// a wait is a loop around the corresponding test. What MPI completed is then forgotten here.
//
// A wait for all requests tests one after another, and then calls MPI's function: MPICH 4.0's test
// of all fails if persistent collectives are among them.

#include "runtime/interception/Wrappers.h"
#include "runtime/strict/calls/StrictCalls.h"

namespace sendwright::strict {

namespace {

/// The program's statuses, or the runtime's own if it wants none; and its handles as they were.
class Completion {
public:
  Completion(int count, MPI_Request *requests, MPI_Status *given, bool ignored) : statuses(given) {
    if (count > 0 && requests)
      before.assign(requests, requests + count);
    if (ignored) {
      own.resize(before.size() + 1);
      statuses = own.data();
    }
  }
  /// MPI completed the request with that index; its status has `statusIndex`.
  void completed(int index, int statusIndex) const {
    strictRank()->requests.completed(before[index], statuses[statusIndex]);
  }
  void completedAll() const {
    for (int index = 0; index < int(before.size()); ++index)
      completed(index, index);
  }
  /// After an MPI error: requests that are gone are complete.
  void completedIfGone(const MPI_Request *requests) const {
    for (int index = 0; index < int(before.size()); ++index)
      if (requests[index] != before[index])
        completed(index, index);
  }
  void completedSome(int count, const int *indices) const {
    for (int which = 0; count != MPI_UNDEFINED && which < count; ++which)
      completed(indices[which], which);
  }

  MPI_Status *statuses;

private:
  std::vector<MPI_Request> before;
  std::vector<MPI_Status> own;
};

BlockedCall blockedIn(int count, const MPI_Request *requests, bool any) {
  BlockedCall call;
  call.any = any;
  if (count > 0 && requests)
    call.requests = {requests, std::size_t(count)};
  return call;
}

/// True also if MPI rejects the request: its wait reports the error.
bool isComplete(MPI_Request request) {
  int done = 1;
  return request == MPI_REQUEST_NULL ||
         PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
}

} // namespace

int waitForRequest(MPI_Request *request, MPI_Status *status) {
  return sendwright_strict_MPI_Wait(request, status);
}

} // namespace sendwright::strict

using namespace sendwright;
using namespace sendwright::strict;

extern "C" {

int sendwright_strict_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (!request || !flag)
    return PMPI_Test(request, flag, status);
  const Completion completion(1, request, status, status == MPI_STATUS_IGNORE);
  const int error = PMPI_Test(request, flag, completion.statuses);
  if (error != MPI_SUCCESS)
    completion.completedIfGone(request);
  else if (*flag)
    completion.completed(0, 0);
  return error;
}

int sendwright_strict_MPI_Testall(int count, MPI_Request *requests, int *flag,
                                  MPI_Status *statuses) {
  if (!flag)
    return PMPI_Testall(count, requests, flag, statuses);
  const Completion completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);
  const int error = PMPI_Testall(count, requests, flag, completion.statuses);
  if (error != MPI_SUCCESS)
    completion.completedIfGone(requests);
  else if (*flag)
    completion.completedAll();
  return error;
}

int sendwright_strict_MPI_Testany(int count, MPI_Request *requests, int *index, int *flag,
                                  MPI_Status *status) {
  if (!index || !flag)
    return PMPI_Testany(count, requests, index, flag, status);
  const Completion completion(count, requests, status, status == MPI_STATUS_IGNORE);
  const int error = PMPI_Testany(count, requests, index, flag, completion.statuses);
  if (error == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
    completion.completed(*index, 0);
  return error;
}

int sendwright_strict_MPI_Testsome(int count, MPI_Request *requests, int *completed, int *indices,
                                   MPI_Status *statuses) {
  if (!completed)
    return PMPI_Testsome(count, requests, completed, indices, statuses);
  const Completion completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);
  const int error = PMPI_Testsome(count, requests, completed, indices, completion.statuses);
  if (error == MPI_SUCCESS)
    completion.completedSome(*completed, indices);
  return error;
}

int sendwright_strict_MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (!request)
    return PMPI_Wait(request, status);
  int error = MPI_SUCCESS, done = 0;
  const Completion completion(1, request, status, status == MPI_STATUS_IGNORE);
  waitUntil(blockedIn(1, request, false), [&] {
    error = PMPI_Test(request, &done, completion.statuses);
    return done || error != MPI_SUCCESS;
  });
  if (error == MPI_SUCCESS)
    completion.completed(0, 0);
  else
    completion.completedIfGone(request);
  return error;
}

int sendwright_strict_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  const Completion completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);
  int complete = requests ? 0 : count; // how many of the first are complete
  waitUntil(blockedIn(count, requests, false), [&] {
    while (complete < count && isComplete(requests[complete]))
      ++complete;
    return complete >= count;
  });
  const int error = PMPI_Waitall(count, requests, completion.statuses);
  if (error == MPI_SUCCESS)
    completion.completedAll();
  else
    completion.completedIfGone(requests);
  return error;
}

int sendwright_strict_MPI_Waitany(int count, MPI_Request *requests, int *index,
                                  MPI_Status *status) {
  if (!index)
    return PMPI_Waitany(count, requests, index, status);
  int error = MPI_SUCCESS, done = 0;
  const Completion completion(count, requests, status, status == MPI_STATUS_IGNORE);
  waitUntil(blockedIn(count, requests, true), [&] {
    error = PMPI_Testany(count, requests, index, &done, completion.statuses);
    return done || error != MPI_SUCCESS;
  });
  if (error == MPI_SUCCESS && *index != MPI_UNDEFINED)
    completion.completed(*index, 0);
  return error;
}

int sendwright_strict_MPI_Waitsome(int count, MPI_Request *requests, int *completed, int *indices,
                                   MPI_Status *statuses) {
  if (!completed)
    return PMPI_Waitsome(count, requests, completed, indices, statuses);
  int error = MPI_SUCCESS;
  const Completion completion(count, requests, statuses, statuses == MPI_STATUSES_IGNORE);
  waitUntil(blockedIn(count, requests, true), [&] {
    error = PMPI_Testsome(count, requests, completed, indices, completion.statuses);
    return error != MPI_SUCCESS || *completed != 0; // MPI_UNDEFINED if no request is active
  });
  if (error == MPI_SUCCESS)
    completion.completedSome(*completed, indices);
  return error;
}

int sendwright_strict_MPI_Request_free(MPI_Request *request) {
  if (!request || !strictRank()->requests.freed(*request))
    return PMPI_Request_free(request);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int sendwright_strict_MPI_Cancel(MPI_Request *request) {
  const Operation *operation = request ? strictRank()->requests.find(*request) : nullptr;
  if (!operation || operation->kind != Operation::Sending)
    return PMPI_Cancel(request);
  strictRank()->sends.cancel(operation->number);
  return MPI_SUCCESS;
}
}
