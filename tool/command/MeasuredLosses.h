// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites of a profile that a run with SENDWRIGHT_VERIFY found to be slower as planned.

#ifndef SENDWRIGHT_TOOL_COMMAND_MEASUREDLOSSES_H
#define SENDWRIGHT_TOOL_COMMAND_MEASUREDLOSSES_H

#include "analysis/transformation/PlannerOptions.h"
#include "analysis/verification/VerifiedGains.h"

#include <string>
#include <vector>

namespace sendwright {

/// None if the profile has another number of ranks than the run. Prints a line for what the profile
/// does not have: then the run was of another program, or the source has changed since. Both names
/// are for messages.
std::vector<MeasuredLoss> measuredLosses(const VerifiedGains &gains, const std::string &gainsName,
                                         const Profile &profile, const std::string &profileName);

} // namespace sendwright

#endif
