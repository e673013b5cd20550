// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `sendwright`. Each lives in a file of its own, adds its options to the parser,
// and runs from the subcommand's callback. A callback reports a wrong file by throwing FormatError
// (exit status 1); CLI11 reports wrong usage (exit status 2).

#ifndef SENDWRIGHT_TOOL_COMMAND_COMMANDS_H
#define SENDWRIGHT_TOOL_COMMAND_COMMANDS_H

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sendwright {

void addPlanCommand(CLI::App &app); // PlanCommand.cpp
void addShowCommand(CLI::App &app); // ShowCommand.cpp
/// `compilerFlags` follow "--" on the command line; they must outlive the parser.
void addRewriteCommand(CLI::App &app,
                       const std::vector<std::string> &compilerFlags); // RewriteCommand.cpp
void addTraceCommands(CLI::App &app);        // TraceCommands.cpp: trace import, and the rest
void addTraceExportCommand(CLI::App &trace); // TraceExportCommand.cpp
void addTraceMatrixCommand(CLI::App &trace); // TraceMatrixCommand.cpp
void addSimulateCommand(CLI::App &app);      // SimulateCommand.cpp
void addCalibrateCommand(CLI::App &app);     // CalibrateCommand.cpp
void addReportCommand(CLI::App &app);        // ReportCommand.cpp
/// Describes all commands of `app`, which must outlive the parser. Hidden from --help.
void addDocumentCommand(CLI::App &app);      // DocumentCommand.cpp
void addReportScalingCommand(CLI::App &app); // ReportScalingCommand.cpp

} // namespace sendwright

#endif
