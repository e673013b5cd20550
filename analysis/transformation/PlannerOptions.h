// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANNEROPTIONS_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANNEROPTIONS_H

#include "analysis/machine/Machine.h"

#include <cstdint>

namespace sendwright {

/// Whether the run is replayed, and what for.
enum class RunReplay : std::uint8_t {
  None,   ///< not replayed: each site is decided by its own model
  Report, ///< likewise; the replay then says what this is worth for the whole run
  Choose  ///< the replay chooses what lets the whole run end soonest
};

struct PlannerOptions {
  Machine machine;             ///< that the predictions rest on
  bool assumed = false;        ///< nobody named the machine
  bool sharing = true;         ///< messages may travel through other ranks
  bool collectives = true;     ///< loops may become collective operations
  double thresholdPercent = 1; ///< smallest gain for which a loop is rewritten: percentage of the
                               ///< loop's own predicted time, or of the whole run if the run is
                               ///< replayed to choose
  RunReplay replay = RunReplay::None;
  std::uint64_t events = 0; ///< calls that are analysed one by one, over all ranks; 0:
                            ///< limits::plannedCalls
};

} // namespace sendwright

#endif
