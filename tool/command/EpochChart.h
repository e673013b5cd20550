// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communication graph of one epoch as a drawing: a line for each rank, with its calls in the
// program's order, and an arrow for each message.

#ifndef SENDWRIGHT_TOOL_COMMAND_EPOCHCHART_H
#define SENDWRIGHT_TOOL_COMMAND_EPOCHCHART_H

#include "analysis/epochs/EpochList.h"

#include <cstddef>
#include <string>

namespace sendwright {

/// What a vertex is, for a person: "rank 3: MPI_Send to rank 4 at app.c:12".
std::string vertexHint(const Profile &profile, const CommunicationGraph &graph, Node node);

/// The drawing of epoch number `epoch` of the list as a whole SVG file. Linear in its graph, plus
/// the layout.
std::string epochSvg(const Profile &profile, const EpochAnalysis &analysis, const EpochList &list,
                     std::size_t epoch);

} // namespace sendwright

#endif
