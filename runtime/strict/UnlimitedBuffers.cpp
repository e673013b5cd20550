// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces all other sources of this folder under SMPI, where buffers are never limited: the
// functions that other layers call.

#include "runtime/strict/StrictBuffers.h"

#include <cstdlib>

namespace sendwright {

namespace strict {

CallFrom::CallFrom(const char *, const char *) {}
CallFrom::~CallFrom() {}
void progress() {}
int progressUntil(MPI_Request *request, MPI_Status *status) { return PMPI_Wait(request, status); }
int awaitBoundary(MPI_Request *request, int, bool) { return PMPI_Wait(request, MPI_STATUS_IGNORE); }
void noteTold(int) {}
void noteFortran() {}
void dropCommunicator(MPI_Comm) {}
void meet(MPI_Comm) {}

} // namespace strict

void startStrictBuffers(int) {
  if (const char *value = std::getenv("SENDWRIGHT_BUFFERS"); value && *value)
    sayOnce("SENDWRIGHT_BUFFERS is ignored under SMPI: polling would cost simulated time");
}

} // namespace sendwright
