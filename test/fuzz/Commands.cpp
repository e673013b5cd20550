// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "test/fuzz/Scratch.h"
#include "tool/command/Commands.h"
#include "tool/command/analyze/AnalyzeCommands.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace sendwright::fuzz {

namespace {

/// All commands except those that start other programs or need Clang.
void addCommands(CLI::App &app) {
  app.require_subcommand(1);
  addPlanCommand(app);
  addShowCommand(app);
  addSimulateCommand(app);
  addReportCommand(app);
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

bool report(const std::vector<std::string> &files) {
  const std::string page = scratchFile("report.html");
  std::filesystem::remove(page);
  std::vector<std::string> arguments{"report"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  arguments.insert(arguments.end(), {"-o", page});
  if (!run(arguments)) {
    if (std::filesystem::exists(page))
      finding("a report that failed leaves a page");
    return false;
  }
  const std::string data = readScratch(page);
  if (std::any_of(data.begin(), data.end(), [](char c) {
        return c == '<' || c == '>' || c == '&' || c == 0x7f ||
               (static_cast<unsigned char>(c) < ' ' && c != '\n');
      }))
    finding("the data of a page has markup or control characters");
  if (!nlohmann::json::accept(data))
    finding("the data of a page is no JSON");
  return true;
}

std::string inputFile(const std::string &name) { return SENDWRIGHT_FUZZ_INPUTS "/" + name; }

} // namespace sendwright::fuzz
