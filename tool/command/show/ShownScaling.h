// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program scales, as `sendwright report-scaling` and `sendwright report` show it.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSCALING_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSCALING_H

#include "analysis/scaling/Scaling.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sendwright {

/// For which the work needed is shown.
inline constexpr double shownEfficiencies[] = {0.5, 0.7, 0.8, 0.9};

struct ShownScaling {
  ScalingReport report;
  std::vector<double> ranks; ///< for which the work needed is shown: the runs', and larger ones
  std::size_t beyond = 0;    ///< how many of them are larger than in any run
};

/// The report with the ranks to show. What a law predicts beyond the runs is shown only where there
/// is no doubt about it.
ShownScaling shownScaling(ScalingReport report);

/// The doubts about the law that fits best.
std::vector<LawDoubt> doubtsOf(const ShownScaling &shown);

// Words.
const char *sourceText(SerialTime source);
const char *doubtText(LawDoubt doubt);
/// "1.2e-06 p^1.50 T_s^0.50".
std::string lawText(const OverheadLaw &law);
/// How the work must grow; empty where no work is enough.
std::string isoefficiencyText(const OverheadLaw &law);

/// What `report-scaling --json` prints.
nlohmann::ordered_json scalingJson(const ShownScaling &shown);

} // namespace sendwright

#endif
