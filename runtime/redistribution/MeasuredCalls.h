// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long this rank was in MPI: what is left of the time is the load that `balance(measured)`
// follows. The wrappers of functions that may wait, and the directives themselves, note how long
// each of their calls takes, from the first array on whose load is measured. Only the thread that
// executes the directive counts: what other threads do meanwhile is not known.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEASUREDCALLS_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_MEASUREDCALLS_H

#include "runtime/base/Interception.h"

#include <mpi.h>

namespace sendwright::redistribution {

/// The time that this thread has spent in calls.
struct TimeInCalls {
  double seconds = 0; ///< in calls that are over
  double begin = 0;   ///< of the present call
  unsigned depth = 0; ///< of calls that are noted now: what they call in turn is not noted again
  Caller caller{};    ///< of the wrapper that was called last; a further argument would cost the
                      ///< wrapper a stack frame, even at rest
};
extern constinit thread_local TimeInCalls timeInCalls __attribute__((visibility("hidden")));

/// From now on the wrappers note calls.
void measureCalls();

/// A call of MPI, or a directive, as long as this lives.
class MeasuredCall {
public:
  MeasuredCall() {
    if (timeInCalls.depth++ == 0)
      timeInCalls.begin = PMPI_Wtime();
  }
  ~MeasuredCall() {
    if (--timeInCalls.depth == 0)
      timeInCalls.seconds += PMPI_Wtime() - timeInCalls.begin;
  }
  MeasuredCall(const MeasuredCall &) = delete;
  MeasuredCall &operator=(const MeasuredCall &) = delete;
};

/// The beginning of a period in which this thread computes.
class PeriodBegin {
public:
  void setNow();
  bool hasBegun() const { return wall >= 0; }
  /// Seconds that the thread has computed since; 0 if none has begun.
  double computed() const;

private:
  double wall = -1, inCalls = 0;
};

} // namespace sendwright::redistribution

#endif
