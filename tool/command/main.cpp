// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `sendwright`: reads the command line, runs one command, and prints an error as one
// line.
//
// Exit status: 0 done; 1 a file was wrong (one line says which and why); 2 wrong usage.

#include "tool/command/Commands.h"
#include "tool/command/analyze/AnalyzeCommands.h"
#include "tool/command/base/Terminal.h"

#include "analysis/file/Activity.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/ParallelTasks.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

/// Cuts off what follows "--": compiler flags, which this command does not parse.
std::vector<std::string> takeCompilerFlags(int &argc, char **argv) {
  char **const end = argv + argc;
  char **const separator = std::find(argv, end, std::string_view("--"));
  if (separator == end)
    return {};
  argc = static_cast<int>(separator - argv);
  return {separator + 1, end};
}

/// The word that stands where a command belongs but is none, with the commands possible there;
/// empty where all words are commands.
std::string unknownCommand(const CLI::App &app, int argc, char **argv, int at = 1) {
  if (at >= argc || argv[at][0] == '-' || app.get_subcommands({}).empty())
    return "";
  std::string known;
  for (const CLI::App *command : app.get_subcommands({})) {
    if (command->get_name() == argv[at])
      return unknownCommand(*command, argc, argv, at + 1);
    if (!command->get_group().empty()) // not hidden
      known += (known.empty() ? "" : ", ") + command->get_name();
  }
  return "no command '" + std::string(argv[at]) + "', expected one of " + known;
}

/// What is wrong with the command line. It may contain any file name.
std::string wrongUsage(const CLI::App *, const CLI::Error &error) {
  return sendwright::printable(error.what()) + "\nRun with --help for more information.\n";
}

/// A full disk is noticed only when the last output is written.
int withOutputWritten(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  sendwright::printMessage(sendwright::MessageKind::Error,
                           "sendwright: standard output cannot be written");
  return 1;
}

void addColourOption(CLI::App &app) {
  app.add_option_function<std::string>(
         "--color",
         [](const std::string &when) {
           using sendwright::Colours;
           sendwright::chooseColours(when == "always"  ? Colours::Always
                                     : when == "never" ? Colours::Never
                                                       : Colours::Auto);
         },
         "Colours in messages: auto, always or never; auto is where standard error is a terminal, "
         "unless NO_COLOR is set")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->trigger_on_parse();
}

/// In the order in which the help lists them.
void addCommands(CLI::App &app, const std::vector<std::string> &compilerFlags) {
  sendwright::addPlanCommand(app);
  sendwright::addShowCommand(app);
  sendwright::addRewriteCommand(app, compilerFlags);
  sendwright::addSimulateCommand(app);
  sendwright::addCalibrateCommand(app);
  sendwright::addReportCommand(app);
  sendwright::addReportScalingCommand(app);
  sendwright::addTraceCommands(app);
  CLI::App *analyze = app.add_subcommand("analyze", "Run one analysis on a file and print it");
  analyze->require_subcommand(1);
  sendwright::addAnalyzeOrderingCommand(*analyze);
  sendwright::addAnalyzeEpochsCommand(*analyze);
  sendwright::addAnalyzeRedistributionCommand(*analyze);
  sendwright::addAnalyzeSharingCommand(*analyze);
  sendwright::addAnalyzeCollectivesCommand(*analyze);
  sendwright::addDocumentCommand(app);
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> compilerFlags = takeCompilerFlags(argc, argv);
  sendwright::allowThreads(std::thread::hardware_concurrency());
  CLI::App app{"Profile-guided optimisation of MPI communication", "sendwright"};
  app.set_version_flag("--version", "sendwright " SENDWRIGHT_VERSION);
  app.failure_message(wrongUsage);
  app.require_subcommand(1);
  app.fallthrough(); // --color may stand anywhere
  addColourOption(app);
  addCommands(app, compilerFlags);

  if (const std::string problem = unknownCommand(app, argc, argv); !problem.empty()) {
    sendwright::printMessage(sendwright::MessageKind::Error,
                             "sendwright: " + sendwright::printable(problem));
    return 2;
  }
  try {
    const sendwright::TerminalProgress progress;
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError &error) {
    return error.get_exit_code(); // the command has already said what is wrong
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? withOutputWritten(0) : 2;
  } catch (const std::exception &error) {
    const std::string line = sendwright::describeFailure(error, "sendwright");
    sendwright::printMessage(sendwright::MessageKind::Error, sendwright::printable(line));
    return 1;
  }
  return withOutputWritten(0);
}
