// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message buffers on the command line: the option that gives their number, and a report of how many
// a program needs.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_EPOCHREPORT_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_EPOCHREPORT_H

#include "analysis/epochs/EpochAnalysis.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace sendwright {

/// Adds --buffers, whose value parseBuffers() reads. Anything else is wrong usage; the contents of
/// a file are checked when it is read.
void addBuffersOption(CLI::App &command, std::string &buffers, const std::string &description);

/// Prints whether the run is safe without buffers, how many each rank needs with and without
/// synchronising, how often it would synchronise, and where the messages that need a buffer are
/// sent.
void printEpochReport(std::FILE *out, const Profile &profile, const EpochAnalysis &analysis);

} // namespace sendwright

#endif
