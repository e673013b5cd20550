// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop in which the runtime waits for other ranks. Each turn serves them (ServingOthers.h), and
// yields after a while, as there may be more ranks than cores; the watchdog watches. Not under
// SMPI, where such a loop would cost simulated time or never end: there MPI waits (isSimulated).

#ifndef SENDWRIGHT_RUNTIME_BASE_WAITING_H
#define SENDWRIGHT_RUNTIME_BASE_WAITING_H

#include "runtime/base/MpiDifferences.h"
#include "runtime/base/ServingOthers.h"
#include "runtime/base/Watchdog.h"

#include <mpi.h>
#include <sched.h>

namespace sendwright {

/// The turns of a wait in which nothing has happened.
class IdleTurns {
public:
  /// Counts one more turn. Yields from the twentieth on. Returns true now and then, when it is
  /// worth reading a clock.
  bool next() {
    if (++turns < 20)
      return false;
    sched_yield();
    return turns % 64 == 0;
  }
  /// Something has happened.
  void reset() { turns = 0; }

private:
  int turns = 0;
};

/// Serves other ranks until done() is true; `what` describes the wait for the watchdog.
template <typename Done, typename What> void serveUntil(Done done, What what) {
  serveOthers();
  if (done())
    return;
  Watchdog watch;
  IdleTurns turns;
  do {
    serveOthers();
    if (turns.next() && watch.due())
      watch.report(what());
  } while (!done());
}

/// The same until a request of MPI is complete. Returns MPI's error code.
template <typename What>
int serveUntilComplete(MPI_Request *request, MPI_Status *status, What what) {
  int error = MPI_SUCCESS;
  serveUntil(
      [&] {
        int done = 0;
        error = PMPI_Test(request, &done, status);
        return done || error != MPI_SUCCESS;
      },
      what);
  return error;
}

} // namespace sendwright

#endif
