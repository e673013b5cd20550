// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/ProgramRequests.h"

#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <utility>

namespace sendwright::exchange {

void ProgramRequests::begin(MPI_Comm ofThisProcess, int largestTag) {
  self = ofThisProcess;
  tagLimit = largestTag;
}

void ProgramRequests::add(MPI_Request request, const PersistentSend &send) {
  sends[request] = std::make_unique<PersistentSend>(send);
}

int ProgramRequests::makeHandle(MPI_Request *request) const {
  return PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, 0, self, request);
}

PersistentState ProgramRequests::persistentState(MPI_Request request) const {
  if (const PostedReceive *one = receive(request); one && one->persistent)
    return !one->active ? PersistentState::Inactive
           : one->done  ? PersistentState::Done
                        : PersistentState::UnderWay;
  const PersistentSend *one = send(request);
  if (!one)
    return PersistentState::NotOurs;
  return !one->active                       ? PersistentState::Inactive
         : one->message == MPI_REQUEST_NULL ? PersistentState::Done
                                            : PersistentState::UnderWay;
}

void ProgramRequests::noteStart(PersistentSend &send) {
  underWay.push_back(&send);
  completeStarts();
}

void ProgramRequests::completeStarts() {
  std::erase_if(underWay, [](PersistentSend *send) {
    int done = 0;
    const int error = PMPI_Test(&send->message, &done, MPI_STATUS_IGNORE);
    if (error == MPI_SUCCESS && !done)
      return false;
    send->message = MPI_REQUEST_NULL;
    raise(send->arguments.communicator, error);
    return true;
  });
}

/// A start whose message is still under way counts as complete.
bool ProgramRequests::freeSend(MPI_Request request) {
  std::optional<std::unique_ptr<PersistentSend>> freed = sends.take(request);
  if (!freed)
    return false;
  PersistentSend &send = **freed;
  if (std::erase(underWay, &send) != 0 && send.message != MPI_REQUEST_NULL)
    PMPI_Request_free(&send.message);
  if (send.ownsDatatype)
    PMPI_Type_free(&send.arguments.datatype);
  return true;
}

bool ProgramRequests::use(const SharedCommunicator &communicator) const {
  bool any = false;
  receives.forEach([&](MPI_Request, const PostedReceive *receive) {
    any |= receive->communicator == &communicator;
  });
  sends.forEach([&](MPI_Request, const std::unique_ptr<PersistentSend> &send) {
    any |= send->communicator == &communicator;
  });
  claimed.forEach([&](MPI_Message, const ClaimedMessage &message) {
    any |= message.communicator == &communicator;
  });
  return any;
}

} // namespace sendwright::exchange
