// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The charts of `report-scaling`, as SVG files. gnuplot draws them: the page of `report` needs a
// browser for its charts, and these files should not.

#ifndef SENDWRIGHT_TOOL_COMMAND_SCALINGCHARTS_H
#define SENDWRIGHT_TOOL_COMMAND_SCALINGCHARTS_H

#include "tool/command/show/ShownScaling.h"

#include <filesystem>

namespace sendwright {

/// Writes speed-up.svg, efficiency.svg and, if there are laws, overhead.svg and isoefficiency.svg
/// into the folder, which is made if it is missing. Throws FormatError, with nothing written, if
/// gnuplot cannot be started or fails; and if a file cannot be written.
void writeScalingCharts(const ShownScaling &result, const std::filesystem::path &folder);

} // namespace sendwright

#endif
