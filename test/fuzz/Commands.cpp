// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "tool/command/Commands.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sendwright::fuzz {

namespace {

/// All commands except those that start other programs or need Clang.
void addCommands(CLI::App &app) {
  app.require_subcommand(1);
  addPlanCommand(app);
  addShowCommand(app);
  addSimulateCommand(app);
  addReportScalingCommand(app);
  addTraceCommands(app);
  CLI::App *analyze = app.add_subcommand("analyze", "");
  analyze->require_subcommand(1);
  addAnalyzeOrderingCommand(*analyze);
  addAnalyzeEpochsCommand(*analyze);
  addAnalyzeRedistributionCommand(*analyze);
  addAnalyzeSharingCommand(*analyze);
  addAnalyzeCollectivesCommand(*analyze);
}

/// Errors are one line that is safe for a terminal. They are printed as the command prints them.
void checkMessage(const FormatError &error) {
  const std::string message = printable(describeFailure(error, "sendwright"));
  if (std::any_of(message.begin(), message.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }))
    finding("an error is not one line of text: " + message);
}

} // namespace

void finding(const std::string &what) {
  std::fprintf(stderr, "FINDING: %s\n", what.c_str());
  std::abort();
}

bool run(const std::vector<std::string> &arguments) {
  static const bool quiet = std::freopen("/dev/null", "w", stdout) != nullptr;
  if (!quiet)
    finding("/dev/null cannot be written");
  CLI::App app{"", "sendwright"};
  addCommands(app);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const FormatError &error) {
    checkMessage(error);
    return false;
  } catch (const CLI::ParseError &) {
    return false;
  }
  return true;
}

std::string inputFile(const std::string &name) { return SENDWRIGHT_FUZZ_INPUTS "/" + name; }

} // namespace sendwright::fuzz
