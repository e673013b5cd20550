// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message buffers on the command line: how many there are to be, and what a person wants to know of
// a program's need of them.

#ifndef SENDWRIGHT_TOOL_COMMAND_EPOCHREPORT_H
#define SENDWRIGHT_TOOL_COMMAND_EPOCHREPORT_H

#include "analysis/epochs/EpochAnalysis.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace sendwright {

/// Adds --buffers, what parseBuffers() reads. Other words are wrong usage; what a file holds is
/// looked at when it is read.
void addBuffersOption(CLI::App &command, std::string &buffers, const std::string &description);

/// Whether the run is safe without buffers, how many each rank needs with and without
/// synchronising, how often it would synchronise, and where the messages are sent that need one.
void printEpochReport(std::FILE *out, const Profile &profile, const EpochAnalysis &analysis);

} // namespace sendwright

#endif
