// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan costs once in a run.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_STARTCOST_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_STARTCOST_H

#include "analysis/machine/Machine.h"
#include "analysis/run/Timeline.h"

#include <cstdint>

namespace sendwright {

/// Seconds that ranks need to make a communicator of the runtime's and to agree on their
/// environment; 0 if the machine file does not say how long making a communicator takes.
double communicatorSeconds(const Machine &machine, std::uint32_t ranks);

/// Seconds in MPI_Init of a run whose ranks agree on their plan and make a communicator; 0 if the
/// machine file does not say how long making a communicator takes. If `timeline` is only the
/// beginning of a run, the beginning's share. O(ranks).
double planStartSeconds(const Timeline &timeline, const Machine &machine);

} // namespace sendwright

#endif
