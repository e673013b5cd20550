// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time that passes between measured calls. Under SMPI, time passes only when the simulator is told
// so: a loop that watches the clock would never end.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_CLOCK_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_CLOCK_H

#include <mpi.h>

#include <unistd.h>
#ifdef SMPI_H
#include <smpi/smpi_helpers_internal.h>
#endif

namespace sendwright {

/// Leaves the processor to others for this many seconds, or slightly longer.
inline void sleepFor(double seconds) {
  const auto microseconds = static_cast<useconds_t>(seconds * 1e6 + 0.5);
#ifdef SMPI_H
  smpi_usleep(microseconds);
#else
  usleep(microseconds);
#endif
}

/// Computes for this many seconds: the processor stays awake, and MPI makes no progress.
inline void computeFor(double seconds) {
#ifdef SMPI_H
  sleepFor(seconds);
#else
  for (const double end = MPI_Wtime() + seconds; MPI_Wtime() < end;) {
  }
#endif
}

} // namespace sendwright

#endif
