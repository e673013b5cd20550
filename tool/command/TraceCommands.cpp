// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright trace import FILE -o PROFILE, sendwright trace export PROFILE -o FILE: profiles from
// and to text.

#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/Limits.h"
#include "analysis/file/OutputFile.h"
#include "analysis/trace/RunSize.h"
#include "analysis/trace/TextTrace.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace sendwright {

namespace {

struct TraceOptions {
  std::string input, output;
  std::uint64_t calls = limits::followedCalls.most; // the most that an export writes
};

void importTrace(const TraceOptions &options) {
  const Activity activity("importing", options.input);
  writeProfile(readTextTrace(options.input), options.output);
}

void exportTrace(const TraceOptions &options) {
  const Profile profile = readProfile(options.input);
  limits::followedCalls.raisedTo(options.calls).check(options.input, runCost(profile));
  const Activity activity("exporting", options.input);
  OutputFile output(options.output);
  formatTextTrace(profile, options.input, [&](std::string_view piece) { output.write(piece); });
  output.commit();
}

CLI::App *addCommand(CLI::App &trace, const char *name, const char *description, const char *input,
                     const char *output, void (*run)(const TraceOptions &),
                     const std::shared_ptr<TraceOptions> &options) {
  CLI::App *command = trace.add_subcommand(name, description);
  command->add_option(input, options->input, "File to read, - for standard input")->required();
  command->add_option("-o", options->output, "File to write, - for standard output")
      ->required()
      ->option_text(output);
  command->callback([options, run] { run(*options); });
  return command;
}

} // namespace

void addTraceCommands(CLI::App &app) {
  CLI::App *trace = app.add_subcommand("trace", "Profiles from and to other formats");
  trace->require_subcommand(1);
  addCommand(*trace, "import", "A text trace to a profile", "FILE", "PROFILE", importTrace,
             std::make_shared<TraceOptions>());
  const auto exported = std::make_shared<TraceOptions>();
  addCommand(*trace, "export", "A profile to a text trace", "PROFILE", "FILE", exportTrace,
             exported)
      ->add_option("--calls", exported->calls,
                   "Write at most this many calls of all ranks together")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str();
  addTraceMatrixCommand(*trace);
}

} // namespace sendwright
