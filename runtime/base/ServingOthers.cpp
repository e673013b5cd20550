// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/ServingOthers.h"

namespace sendwright {

namespace {

const Service *service = nullptr;

} // namespace

void serveOthersBy(const Service *by) { service = by; }

bool servesOthers() { return service != nullptr; }

void serveOthers() {
  if (service)
    service->serve();
}

void serveBeforeCollective(MPI_Comm communicator) {
  if (service)
    service->enter(communicator);
}

int waitAnyAndServe(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  return service ? service->waitAny(count, requests, index, status)
                 : PMPI_Waitany(count, requests, index, status);
}

} // namespace sendwright
