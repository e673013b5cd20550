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

/// Completes the request with which the program started the send.
void ProgramRequests::signalStart(const PersistentSend &send) const {
  PMPI_Send(nullptr, 0, MPI_BYTE, 0, send.trigger, self);
}

void ProgramRequests::noteStart(PersistentSend &send) {
  underWay.push_back(&send);
  completeStarts();
}

void ProgramRequests::completeStarts() {
  std::erase_if(underWay, [this](PersistentSend *send) {
    int done = 0;
    const int error = PMPI_Test(&send->message, &done, MPI_STATUS_IGNORE);
    if (error == MPI_SUCCESS && !done)
      return false;
    signalStart(*send);
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
  if (std::erase(underWay, &send) != 0) {
    if (send.message != MPI_REQUEST_NULL)
      PMPI_Request_free(&send.message);
    signalStart(send);
  }
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
