// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI_Wait and MPI_Waitall in which ranks spend a part of the run that counts. The
// compiler moves them behind computation that needs nothing of what they complete.

#ifndef SENDWRIGHT_ANALYSIS_COMPLETION_LONGWAITS_H
#define SENDWRIGHT_ANALYSIS_COMPLETION_LONGWAITS_H

#include "analysis/trace/Profile.h"
#include "analysis/transformation/PlanParts.h"

#include <string_view>
#include <vector>

namespace sendwright {

struct LongWait {
  SiteIdentity site;  ///< the call
  double seconds = 0; ///< of all its calls, of the rank that waits longest
  double percent = 0; ///< of that rank's run
};

/// What a plan for one number of ranks holds of them.
struct LongWaits : PlanPartOf<LongWaits> {
  static constexpr std::string_view partName = "long waits";
  std::vector<LongWait> waits;
};

/// The marked calls that take at least `thresholdPercent` of some rank's run, in the profile's
/// order; none if the profile has no times. Linear in the kinds of events.
std::vector<LongWait> findLongWaits(const Profile &profile, double thresholdPercent);

} // namespace sendwright

#endif
