// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/synchronization/AnySourceReceives.h"

#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/SynchronizedSteps.h"

#include "runtime/base/MpiDifferences.h"
#include "runtime/interception/Wrappers.h"

#include <algorithm>
#include <climits>
#include <string>

namespace sendwright::synchronization {

namespace {

bool isPending() {
  const SynchronizedSteps *steps = synchronizedSteps();
  return steps && steps->active && !steps->pending.empty();
}

/// `status` belongs to the receive, which is complete.
void look(const PendingReceive &receive, const MPI_Status &status) {
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (!cancelled && status.MPI_SOURCE != MPI_PROC_NULL)
    synchronizedSteps()->took(
        synchronizedSteps()->communicators.peer(receive.communicator, status.MPI_SOURCE),
        receive.expected);
}

bool isComplete(MPI_Request request) {
  int complete = 1;
  if (request != MPI_REQUEST_NULL)
    PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

/// Watches until `done()`.
template <typename Done> void watchUntil(Done done) {
  while (watching() && !done())
    watch();
}

} // namespace

bool watching() { return !isSimulated && isPending() && !strict::on(); }

void watch() {
  if (!isPending())
    return;
  std::vector<PendingReceive> complete;
  std::vector<MPI_Status> statuses;
  std::erase_if(synchronizedSteps()->pending, [&](const PendingReceive &receive) {
    int done = 0;
    MPI_Status status;
    PMPI_Request_get_status(receive.request, &done, &status);
    if (done) {
      complete.push_back(receive);
      statuses.push_back(status);
    }
    return done != 0;
  });
  for (std::size_t index = 0; index < complete.size() && synchronizedSteps()->active; ++index)
    look(complete[index], statuses[index]);
}

int receive(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
            MPI_Comm communicator, MPI_Status *status) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error =
      sendwright_inner_MPI_Irecv(buffer, count, datatype, source, tag, communicator, &request);
  if (error != MPI_SUCCESS)
    return error;
  watchUntil([&] { return isComplete(request); });
  return PMPI_Wait(&request, status);
}

int sendAndReceive(const void *sent, int sentCount, MPI_Datatype sentType, int destination,
                   int sentTag, void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                   MPI_Comm communicator, MPI_Status *status) {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int error =
      sendwright_inner_MPI_Irecv(buffer, count, datatype, source, tag, communicator, &requests[0]);
  if (error != MPI_SUCCESS)
    return error;
  error = PMPI_Isend(sent, sentCount, sentType, destination, sentTag, communicator, &requests[1]);
  if (error != MPI_SUCCESS)
    return error;
  watchUntil([&] { return isComplete(requests[0]) && isComplete(requests[1]); });
  const int sending = PMPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  const int receiving = PMPI_Wait(&requests[0], status);
  return receiving != MPI_SUCCESS ? receiving : sending;
}

int sendAndReceiveReplacing(void *buffer, int count, MPI_Datatype datatype, int destination,
                            int sentTag, int source, int tag, MPI_Comm communicator,
                            MPI_Status *status) {
  int size = 0, packed = 0;
  int error = PMPI_Pack_size(count, datatype, communicator, &size);
  if (error != MPI_SUCCESS)
    return error;
  std::vector<char> copy(static_cast<std::size_t>(size));
  error = PMPI_Pack(buffer, count, datatype, copy.data(), size, &packed, communicator);
  return error != MPI_SUCCESS
             ? error
             : sendAndReceive(copy.data(), packed, MPI_PACKED, destination, sentTag, buffer, count,
                              datatype, source, tag, communicator, status);
}

int waitAny(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  int done = 0, error = MPI_SUCCESS;
  watchUntil([&] {
    error = sendwright_inner_MPI_Testany(count, requests, index, &done, status);
    return done || error != MPI_SUCCESS;
  });
  return done || error != MPI_SUCCESS
             ? error
             : sendwright_inner_MPI_Waitany(count, requests, index, status);
}

int waitSome(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses) {
  int error = MPI_SUCCESS;
  *completed = 0;
  watchUntil([&] {
    error = sendwright_inner_MPI_Testsome(count, requests, completed, indices, statuses);
    return *completed != 0 || error != MPI_SUCCESS;
  });
  return *completed != 0 || error != MPI_SUCCESS
             ? error
             : sendwright_inner_MPI_Waitsome(count, requests, completed, indices, statuses);
}

void awaitMessage(int source, int tag, MPI_Comm communicator) {
  watchUntil([&] {
    int found = 0;
    PMPI_Iprobe(source, tag, communicator, &found, MPI_STATUS_IGNORE);
    return found != 0;
  });
}

Completion::Completion(int count, const MPI_Request *passed, MPI_Status *&statuses) {
  if (!isPending() || count <= 0)
    return;
  requests.assign(passed, passed + count);
  if (statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE) {
    own.resize(requests.size());
    statuses = own.data();
  }
  this->statuses = statuses;
}

void Completion::awaitAll() const {
  if (!requests.empty())
    watchUntil([&] { return std::ranges::all_of(requests, isComplete); });
}

void Completion::finish(int count, const int *indices) {
  if (requests.empty() || !synchronizedSteps())
    return;
  std::vector<PendingReceive> &pending = synchronizedSteps()->pending;
  for (int position = 0; position < count; ++position) {
    const MPI_Request request =
        requests[static_cast<std::size_t>(indices ? indices[position] : position)];
    const auto known = std::ranges::find(pending, request, &PendingReceive::request);
    if (request == MPI_REQUEST_NULL || known == pending.end())
      continue;
    const PendingReceive receive = *known;
    pending.erase(known);
    if (synchronizedSteps()->active)
      look(receive, statuses[position]);
  }
}

} // namespace sendwright::synchronization
