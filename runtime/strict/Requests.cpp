// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/Requests.h"

#include "runtime/strict/StrictRank.h"

namespace sendwright::strict {

MPI_Request Requests::make(bool persistent, int &signalTag) {
  // A tag may still be used by an old request: receives with the same tag are completed in order,
  // and might then be mixed up. So many requests at the same time are not expected.
  lastTag = lastTag % strictRank()->tagLimit + 1;
  signalTag = lastTag;
  MPI_Request request = MPI_REQUEST_NULL;
  auto *receive = persistent ? PMPI_Recv_init : PMPI_Irecv;
  receive(nullptr, 0, MPI_BYTE, 0, signalTag, strictRank()->self, &request);
  return request;
}

void Requests::complete(int signalTag) {
  PMPI_Send(nullptr, 0, MPI_BYTE, 0, signalTag, strictRank()->self);
}

void Requests::note(MPI_Request request, Operation operation) {
  if (request != MPI_REQUEST_NULL)
    known[request] = std::make_unique<Operation>(std::move(operation));
}

Operation *Requests::find(MPI_Request request) {
  const std::unique_ptr<Operation> *found = known.find(request);
  return found ? found->get() : nullptr;
}

void Requests::sendCompleted(MPI_Request request) {
  Operation *operation = find(request);
  if (!operation || operation->kind != Operation::Sending)
    return;
  if (operation->persistent)
    operation->active = false;
  else
    known.erase(request);
}

void Requests::countReceived(const CommunicatorRecord &communicator, int peer) {
  ++received[communicator.worldRank(peer)];
}

void Requests::completed(MPI_Request request, const MPI_Status &status) {
  Operation *found = find(request);
  if (!found)
    return;
  Operation &operation = *found;
  if (operation.kind == Operation::Receiving && operation.active) {
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
      countReceived(*operation.communicator,
                    operation.peer == MPI_ANY_SOURCE ? status.MPI_SOURCE : operation.peer);
  }
  if (operation.persistent)
    operation.active = false;
  else
    known.erase(request);
}

bool Requests::freed(MPI_Request request) {
  Operation *found = find(request);
  if (!found)
    return false;
  Operation &operation = *found;
  bool kept = false;
  if (operation.kind == Operation::Receiving && operation.active)
    uncounted = true;
  if (operation.kind == Operation::Sending) {
    kept = operation.active &&
           strictRank()->sends.adoptRequest(operation.number, operation.persistent);
    if (operation.persistent) {
      if (!operation.active || operation.communicator->alive) // or it may be the one under way
        PMPI_Request_free(&operation.original);
      PMPI_Type_free(&operation.arguments.datatype);
    }
  }
  known.erase(request);
  return kept;
}

std::map<std::int64_t, std::int64_t> Requests::receivedFrom() const {
  std::map<std::int64_t, std::int64_t> all = received;
  known.forEach([&](MPI_Request request, const std::unique_ptr<Operation> &operation) {
    MPI_Status status;
    if (operation->kind == Operation::Receiving && operation->active &&
        isComplete(request, &status)) {
      const int peer = operation->peer == MPI_ANY_SOURCE ? status.MPI_SOURCE : operation->peer;
      ++all[operation->communicator->worldRank(peer)];
    }
  });
  return all;
}

bool Requests::isComplete(MPI_Request request, MPI_Status *status) {
  int done = 0;
  PMPI_Request_get_status(request, &done, status);
  return done != 0;
}

} // namespace sendwright::strict
