// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan costs once in a run.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_STARTCOST_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_STARTCOST_H

#include "analysis/machine/Machine.h"
#include "analysis/run/Timeline.h"

#include <cstdint>

namespace sendwright {

/// Seconds that ranks need to make a communicator of the runtime's for redistribution and to agree
/// on their environment; 0 if the machine file does not say how long making a communicator takes.
double communicatorSeconds(const Machine &machine, std::uint32_t ranks);

/// Seconds in MPI_Init of a run whose ranks make a communicator and agree on their plan; 0 if the
/// machine file does not say how long making a communicator takes.
double planStartSeconds(const Machine &machine, std::uint32_t ranks);

/// Seconds in MPI_Finalize of a run in which all ranks meet there; 0 likewise.
double planEndSeconds(const Machine &machine, std::uint32_t ranks);

/// The part of a run's events that is in the timeline, at most 1: less if the timeline is only the
/// beginning of the run. O(ranks).
double partOfRun(const Timeline &timeline);

} // namespace sendwright

#endif
