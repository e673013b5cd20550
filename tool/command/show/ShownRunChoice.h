// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the whole run is predicted to gain, site by site, as `plan` prints it.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNRUNCHOICE_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNRUNCHOICE_H

#include "analysis/planner/Planner.h"

#include <cstdio>

namespace sendwright {

/// Prints a line for each site: what was chosen, why, and the run's predicted time without and with
/// it, everything else as chosen. Then the gain of directives over MPI_Alltoallv. Prints nothing
/// where the run was not replayed, or has neither sites nor directives.
void printRunChoice(std::FILE *out, const ProfilePlan &planned, const PlannerOptions &options);

} // namespace sendwright

#endif
