// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `sendwright analyze`: one algorithm each, on input that needs no program. They
// work as those of Commands.h do.

#ifndef SENDWRIGHT_TOOL_COMMAND_ANALYZE_ANALYZECOMMANDS_H
#define SENDWRIGHT_TOOL_COMMAND_ANALYZE_ANALYZECOMMANDS_H

namespace CLI {
class App;
}

namespace sendwright {

void addAnalyzeOrderingCommand(CLI::App &analyze);       // AnalyzeOrderingCommand.cpp
void addAnalyzeEpochsCommand(CLI::App &analyze);         // AnalyzeEpochsCommand.cpp
void addAnalyzeRedistributionCommand(CLI::App &analyze); // AnalyzeRedistributionCommand.cpp
void addAnalyzeSharingCommand(CLI::App &analyze);        // AnalyzeSharingCommand.cpp
void addAnalyzeCollectivesCommand(CLI::App &analyze);    // AnalyzeCollectivesCommand.cpp

} // namespace sendwright

#endif
