// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person wants to know of a program's message buffers, in words and a table.

#ifndef SENDWRIGHT_TOOL_SENDWRIGHT_EPOCHREPORT_H
#define SENDWRIGHT_TOOL_SENDWRIGHT_EPOCHREPORT_H

#include "analysis/epochs/EpochAnalysis.h"

#include <cstdio>

namespace sendwright {

/// Whether the run is safe without buffers, how many each rank needs with and without
/// synchronising, how often it would synchronise, and where the messages are sent that need one.
void printEpochReport(std::FILE *out, const Profile &profile, const EpochAnalysis &analysis);

} // namespace sendwright

#endif
