// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the whole run is predicted to gain, site by site, as `plan` prints it.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNRUNCHOICE_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNRUNCHOICE_H

#include "analysis/planner/Planner.h"

#include <cstdio>

namespace sendwright {

/// A line for each site: what was chosen, the run's predicted time without it and with it, beside
/// what was chosen elsewhere, and why. Then what directives gain over MPI_Alltoallv. Nothing where
/// the run was not replayed, or has neither.
void printRunChoice(std::FILE *out, const ProfilePlan &planned, const PlannerOptions &options);

} // namespace sendwright

#endif
