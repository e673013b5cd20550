// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Wtime for recorded calls, which need it twice each. On processors whose time-stamp counter
// runs at one rate, a thread reads this counter and learns from MPI_Wtime what a tick takes; it is
// set right by MPI_Wtime ten times a second. Elsewhere, and in simulated time, it is MPI_Wtime.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_CALLCLOCK_H
#define SENDWRIGHT_RUNTIME_RECORDING_CALLCLOCK_H

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace sendwright {

/// One thread's. Trivially constructible.
class CallClock {
public:
  /// Seconds, as MPI_Wtime counts them. Between two readings of MPI_Wtime it differs from this by
  /// less than a microsecond, so that it may go back by as much when it is set right.
  double now() {
#if defined(__x86_64__)
    const std::uint64_t passed = __rdtsc() - anchorTicks;
    if (passed < usableTicks)
      return anchorSeconds + static_cast<double>(passed) * secondsPerTick;
#endif
    return setRight();
  }

private:
  double setRight();
  bool isFarFrom(double seconds, std::uint64_t ticks) const;

  std::uint64_t anchorTicks = 0;
  std::uint64_t usableTicks = 0; ///< after the anchor; 0: MPI_Wtime is read every time
  std::uint64_t firstTicks = 0;
  double anchorSeconds = 0, secondsPerTick = 0;
  double firstSeconds = -1; ///< of the first reading, from which the rate is measured; -1: none yet
  bool isUnusable = false;
};

} // namespace sendwright

#endif
