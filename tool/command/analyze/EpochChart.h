// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communication graph of one epoch as a drawing: a line for each rank, with its calls in the
// program's order, and an arrow for each message.

#ifndef SENDWRIGHT_TOOL_COMMAND_ANALYZE_EPOCHCHART_H
#define SENDWRIGHT_TOOL_COMMAND_ANALYZE_EPOCHCHART_H

#include "analysis/epochs/EpochList.h"

#include <cstddef>
#include <string>

namespace sendwright {

/// The drawing of epoch number `epoch` of the list as a whole SVG file. Linear in its graph, plus
/// the layout.
std::string epochSvg(const Profile &profile, const EpochAnalysis &analysis, const EpochList &list,
                     std::size_t epoch);

} // namespace sendwright

#endif
