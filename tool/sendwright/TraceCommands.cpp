// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright trace import FILE -o PROFILE, sendwright trace export PROFILE -o FILE: profiles from
// and to text.

#include "tool/sendwright/Commands.h"

#include "analysis/file/OutputFile.h"
#include "analysis/trace/TextTrace.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace sendwright {

namespace {

struct TraceOptions {
  std::string input, output;
};

void importTrace(const TraceOptions &options) {
  writeProfile(readTextTrace(options.input), options.output);
}

void exportTrace(const TraceOptions &options) {
  const Profile profile = readProfile(options.input);
  OutputFile output(options.output);
  formatTextTrace(profile, options.input, [&](std::string_view piece) { output.write(piece); });
  output.commit();
}

void addCommand(CLI::App &trace, const char *name, const char *description, const char *input,
                const char *output, void (*run)(const TraceOptions &)) {
  CLI::App *command = trace.add_subcommand(name, description);
  auto options = std::make_shared<TraceOptions>();
  command->add_option(input, options->input, "File to read, - for standard input")->required();
  command->add_option("-o", options->output, "File to write, - for standard output")
      ->required()
      ->option_text(output);
  command->callback([options, run] { run(*options); });
}

} // namespace

void addTraceCommands(CLI::App &app) {
  CLI::App *trace = app.add_subcommand("trace", "Profiles from and to text");
  trace->require_subcommand(1);
  addCommand(*trace, "import", "A text trace to a profile", "FILE", "PROFILE", importTrace);
  addCommand(*trace, "export", "A profile to a text trace", "PROFILE", "FILE", exportTrace);
}

} // namespace sendwright
