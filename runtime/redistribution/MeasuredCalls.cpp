// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/MeasuredCalls.h"

#include <algorithm>

namespace sendwright::redistribution {

constinit thread_local TimeInCalls timeInCalls{};

namespace {

double secondsInCalls(double now) {
  return timeInCalls.seconds + (timeInCalls.depth > 0 ? now - timeInCalls.begin : 0);
}

} // namespace

void measureCalls() {
  if (!(sendwright_interception & interceptMeasuring))
    __atomic_fetch_or(&sendwright_interception, interceptMeasuring, __ATOMIC_RELAXED);
}

void PeriodBegin::setNow() {
  wall = PMPI_Wtime();
  inCalls = secondsInCalls(wall);
}

double PeriodBegin::computed() const {
  if (wall < 0)
    return 0;
  const double now = PMPI_Wtime();
  return std::max(now - wall - (secondsInCalls(now) - inCalls), 0.0);
}

} // namespace sendwright::redistribution
