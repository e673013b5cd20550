// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright trace: commands that read and write runs. Here: trace import FILE -o PROFILE.

#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/trace/TextTrace.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace sendwright {

namespace {

struct TraceImportOptions {
  std::string input, output;
};

void importTrace(const TraceImportOptions &options) {
  const Activity activity("importing", options.input);
  writeProfile(readTextTrace(options.input), options.output);
}

void addTraceImportCommand(CLI::App &trace) {
  CLI::App *command = trace.add_subcommand("import", "A text trace to a profile");
  auto options = std::make_shared<TraceImportOptions>();
  command->add_option("FILE", options->input, "File to read, - for standard input")->required();
  command->add_option("-o", options->output, "File to write, - for standard output")
      ->required()
      ->option_text("PROFILE");
  command->callback([options] { importTrace(*options); });
}

} // namespace

void addTraceCommands(CLI::App &app) {
  CLI::App *trace = app.add_subcommand("trace", "Runs from and to text and other tools' formats");
  trace->require_subcommand(1);
  addTraceImportCommand(*trace);
  addTraceExportCommand(*trace);
}

} // namespace sendwright
