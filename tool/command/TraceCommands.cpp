// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright trace: commands that read and write runs. Here: trace import FILE -o PROFILE.

#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/trace/TextTrace.h"
#include "tool/command/otf2/Otf2Archive.h"

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
  const bool isArchive = options.input.size() > 5 && options.input.ends_with(".otf2");
  writeProfile(isArchive ? readOtf2Archive(options.input) : readTextTrace(options.input),
               options.output);
}

void addTraceImportCommand(CLI::App &trace) {
  CLI::App *command =
      trace.add_subcommand("import", "A trace to a profile: text, or an OTF2 archive");
  auto options = std::make_shared<TraceImportOptions>();
  command
      ->add_option("FILE", options->input,
                   "Text trace, - for standard input; or NAME.otf2, as Score-P writes")
      ->required();
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
  addTraceMatrixCommand(*trace);
}

} // namespace sendwright
