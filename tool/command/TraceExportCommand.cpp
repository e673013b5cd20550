// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright trace export PROFILE --format F -o FILE: runs, as recorded or as simulated, for people
// and other tools.

#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/Limits.h"
#include "analysis/file/OutputFile.h"
#include "analysis/trace/TextTrace.h"
#include "tool/command/otf2/Otf2Archive.h"
#include "tool/command/trace/ChromeTrace.h"
#include "tool/command/trace/ExportedRun.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace sendwright {

namespace {

struct TraceExportOptions {
  ExportSource source;
  std::string output, format = "text";
};

void exportText(const TraceExportOptions &options) {
  const Profile profile = readExportedProfile(options.source);
  const Activity activity("exporting", options.source.name());
  OutputFile output(options.output);
  formatTextTrace(profile, options.source.name(),
                  [&](std::string_view piece) { output.write(piece); });
  output.commit();
}

void exportChrome(const TraceExportOptions &options) {
  const ExportedRun run(options.source);
  const Activity activity("exporting", options.source.name());
  OutputFile output(options.output);
  formatChromeTrace(run.profile, run.timeline, *run.times, run.title,
                    [&](std::string_view piece) { output.write(piece); });
  output.commit();
}

void exportOtf2(const TraceExportOptions &options) {
  const ExportedRun run(options.source);
  const Activity activity("exporting", options.source.name());
  writeOtf2Archive(run.profile, run.timeline, *run.times, run.title, options.output);
}

void exportTrace(const TraceExportOptions &options) {
  if (options.format == "otf2")
    return exportOtf2(options);
  if (options.format != "text")
    return exportChrome(options);
  if (options.source.isSimulated())
    throw CLI::ValidationError(
        "--format text holds a run without its times; of a simulated run, expected "
        "--format chrome, perfetto or otf2");
  exportText(options);
}

} // namespace

void addTraceExportCommand(CLI::App &trace) {
  CLI::App *command =
      trace.add_subcommand("export", "A run as text, or for a viewer: as recorded or as simulated");
  auto options = std::make_shared<TraceExportOptions>();
  command->add_option("PROFILE", options->source.profile, "File to read, - for standard input")
      ->required();
  command->add_option("-o", options->output, "File to write, - for standard output")
      ->required()
      ->option_text("FILE");
  command
      ->add_option("--format", options->format,
                   "text; chrome or perfetto: one and the same, Chrome's trace events in JSON, "
                   "which ui.perfetto.dev opens; otf2: an archive, whose name ends in .otf2")
      ->check(CLI::IsMember({"text", "chrome", "perfetto", "otf2"}))
      ->capture_default_str();
  command->add_option("--machine", options->source.machine,
                      "Machine file: write the run as simulated on this machine");
  command->add_option("--plan", options->source.plan,
                      "Write the run as simulated with this plan; without --machine, on the "
                      "machine that the plan was made for");
  options->source.calls = limits::followedCalls.most;
  command
      ->add_option("--calls", options->source.calls,
                   "Write at most this many calls of all ranks together")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str();
  command->callback([options] { exportTrace(*options); });
}

} // namespace sendwright
