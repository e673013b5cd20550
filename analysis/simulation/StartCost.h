// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan costs once.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_STARTCOST_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_STARTCOST_H

#include "analysis/machine/Machine.h"
#include "analysis/run/Timeline.h"

#include <cstdint>

namespace sendwright {

/// Seconds in which ranks make a communicator of the runtime's and agree on their environment; 0
/// where the machine file does not say what a communicator takes.
double communicatorSeconds(const Machine &machine, std::uint32_t ranks);

/// Seconds in MPI_Init of a run whose ranks agree on their plan and make a communicator; 0 where
/// the machine file does not say what a communicator takes. Of a run of which `timeline` is the
/// beginning, the part that the beginning has to bear. O(ranks).
double planStartSeconds(const Timeline &timeline, const Machine &machine);

} // namespace sendwright

#endif
