// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load of arrays, for a profile: what this rank computed between two directives for an array
// whose rows are divided into one block for each processor. Time in calls of MPI and in directives
// does not count (MeasuredCalls.h). Each directive that succeeds on all ranks ends a period on all
// of them, so that the periods of all ranks are the same.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_LOADRECORDING_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_LOADRECORDING_H

#include "runtime/recording/RecordedLoads.h"
#include "runtime/redistribution/ArrayState.h"

#include <cstdint>
#include <span>

namespace sendwright::redistribution {

/// The array's first period begins, if a profile is recorded.
void beginLoadRecording(ArrayState &state);

/// One directive on one rank.
class LoadRecording {
public:
  /// Before anything moves. Says nothing of arrays that have no such rows.
  LoadRecording(const sendwright_site *site, std::span<sendwright_array *const> arrays, int rank);

  /// The directive has succeeded: adds the period of the first array, and begins the next period of
  /// all arrays. `costs`: of the rank's rows, or empty. `moved`: bytes that the rank sent or
  /// received, whichever is more. Throws nothing.
  void finish(std::span<const double> costs, std::uint64_t moved) const;

private:
  const sendwright_site *site;
  std::span<sendwright_array *const> arrays;
  LoadedArray array; ///< no rows: there is nothing to record
  std::int64_t begin = 0, rows = 0;
  double seconds = 0;
};

} // namespace sendwright::redistribution

#endif
