// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/CallClock.h"

#include "runtime/base/MpiDifferences.h"

#include <mpi.h>

#include <cmath>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sendwright {

#if defined(__x86_64__)

namespace {

/// The rate is known well enough after this time, and the counter is read alone for as long.
constexpr double measuredSeconds = 0.02, aloneSeconds = 0.1;

/// Whether the counter's rate never changes.
bool ticksEvenly() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1U << 8)) != 0;
}

} // namespace

/// Whether the counter, read alone, would be wrong by more than a processor's clock may be.
bool CallClock::isFarFrom(double seconds, std::uint64_t ticks) const {
  const double since = seconds - anchorSeconds;
  return usableTicks > 0 && std::abs(static_cast<double>(ticks - anchorTicks) * secondsPerTick -
                                     since) > 0.001 * since + 1e-3;
}

double CallClock::setRight() {
  const double seconds = PMPI_Wtime();
  if (isUnusable)
    return seconds;
  const std::uint64_t ticks = __rdtsc();
  if (firstSeconds < 0) {
    static const bool isEven = !isSimulated && ticksEvenly();
    isUnusable = !isEven;
    firstTicks = ticks;
    firstSeconds = seconds;
    return seconds;
  }
  if (seconds - firstSeconds < measuredSeconds)
    return seconds;
  if (ticks <= firstTicks || isFarFrom(seconds, ticks)) { // a machine that moved to another
    firstTicks = ticks;
    firstSeconds = seconds;
    usableTicks = 0;
    return seconds;
  }
  secondsPerTick = (seconds - firstSeconds) / static_cast<double>(ticks - firstTicks);
  anchorTicks = ticks;
  anchorSeconds = seconds;
  usableTicks = static_cast<std::uint64_t>(aloneSeconds / secondsPerTick);
  return seconds;
}

#else

double CallClock::setRight() { return PMPI_Wtime(); }

#endif

} // namespace sendwright
