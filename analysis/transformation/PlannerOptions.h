// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANNEROPTIONS_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANNEROPTIONS_H

#include "analysis/machine/Machine.h"

#include <cstdint>

namespace sendwright {

/// What the run is replayed for.
enum class RunReplay : std::uint8_t {
  None,   ///< it is not: each site is decided by its own model
  Report, ///< likewise, and then it is said what that is worth for the whole run
  Choose  ///< to decide: what lets the whole run end soonest
};

struct PlannerOptions {
  Machine machine;             ///< what the predictions rest on
  bool assumed = false;        ///< nobody named that machine
  bool sharing = true;         ///< messages may travel through other ranks
  bool collectives = true;     ///< loops may become collective operations
  double thresholdPercent = 1; ///< a loop that gains less is left alone: of what its own model says
                               ///< that it takes, or where the run is replayed to choose, of that
  RunReplay replay = RunReplay::None;
  std::uint64_t events = 0; ///< calls that are looked at one by one, over all ranks; 0: as many as
                            ///< Limits.h has (plannedCalls)
};

} // namespace sendwright

#endif
