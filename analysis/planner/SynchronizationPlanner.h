// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds to the plan of one rank count where its program synchronises, so that a number of message
// buffers suffices.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_SYNCHRONIZATIONPLANNER_H
#define SENDWRIGHT_ANALYSIS_PLANNER_SYNCHRONIZATIONPLANNER_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/planner/Planner.h"

namespace sendwright {

/// Plans the synchronisation of the analysed run; `analysis` must belong to `profile`. The buffers
/// suffice only for the profile's order of messages: loops that were to be rewritten are left
/// alone, and say so. Throws FormatError if the program receives from any source in a way that
/// cannot be watched (a matched probe whose message is received later). Linear in the run.
void planSynchronization(ProfilePlan &plan, const Profile &profile, const EpochAnalysis &analysis,
                         SynchronizationKind kind);

} // namespace sendwright

#endif
