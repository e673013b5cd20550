// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/WaitingWhileSharing.h"

namespace sendwright::exchange {

namespace {

int waitAny(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  if (!on() || isPausing())
    return PMPI_Waitany(count, requests, index, status);
  Awaited awaited;
  for (int number = 0; number < count; ++number)
    awaited.requests.push_back(requests + number);
  while (awaited.ended < 0)
    messageSharing()->makeProgress(awaited);
  *index = awaited.ended;
  *status = awaited.status;
  return awaited.error;
}

void enter(MPI_Comm communicator) {
  if (on())
    meet(communicator);
}

} // namespace

const Service &serviceWhileSharing() {
  static const Service service{progress, enter, waitAny};
  return service;
}

int waitSimulated(MPI_Request *request, MPI_Status *status) {
  if (*request == MPI_REQUEST_NULL || !on())
    return PMPI_Wait(request, status);
  noteWait();
  Awaited awaited{{request}};
  while (awaited.ended < 0)
    messageSharing()->makeProgress(awaited);
  if (status != MPI_STATUS_IGNORE)
    *status = awaited.status;
  return awaited.error;
}

int waitForRequest(MPI_Request *request, MPI_Status *status, const char *function) {
  return waitForRequest(request, status, [&] { return waitingIn(function); });
}

bool allAgree(MPI_Comm communicator, bool own, const char *function) {
  if (isSimulated) // MPI_Ibarrier ends when rank 0 has come, whoever else is missing
    return allOfThemAgree(messageSharing()->communicators().membersOf(communicator), own, function);
  const int said = own;
  int all = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  return PMPI_Iallreduce(&said, &all, 1, MPI_INT, MPI_LAND, communicator, &request) ==
             MPI_SUCCESS &&
         waitForRequest(&request, MPI_STATUS_IGNORE, function) == MPI_SUCCESS && all;
}

void agreeOnLargest(MPI_Comm communicator, std::vector<std::int64_t> &numbers,
                    const char *function) {
  if (isSimulated)
    return agreeOnLargest(messageSharing()->communicators().membersOf(communicator), numbers,
                          function);
  const std::vector<std::int64_t> said = numbers;
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Iallreduce(said.data(), numbers.data(), static_cast<int>(said.size()), MPI_INT64_T,
                      MPI_MAX, communicator, &request) == MPI_SUCCESS)
    waitForRequest(&request, MPI_STATUS_IGNORE, function);
}

void waitForMembers(MPI_Comm communicator, const char *function) {
  if (isSimulated) {
    allAgree(communicator, true, function);
    return;
  }
  int remote = 0;
  PMPI_Comm_test_inter(communicator, &remote);
  // A barrier of two sides ends when the other side has come. After a second one this side has,
  // too.
  for (int times = 0; times <= (remote ? 1 : 0); ++times) {
    MPI_Request all = MPI_REQUEST_NULL;
    if (PMPI_Ibarrier(communicator, &all) == MPI_SUCCESS)
      waitForRequest(&all, MPI_STATUS_IGNORE, function);
  }
}

std::string waitingIn(const std::string &call) {
  const MessageSharing *sharing = messageSharing();
  return "in " + call + (sharing ? sharing->whatIsAwaited() : "");
}

int raise(MPI_Comm communicator, int error) {
  if (error != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(communicator, error);
  return error;
}

} // namespace sendwright::exchange
