// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright report PROFILE... [--plan PLAN] [--machine M] -o FILE.html: a run before and after its
// plan, as one page for a browser.

#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/OutputFile.h"
#include "tool/command/report/ReportData.h"
#include "tool/command/report/ReportPage.h"
#include "tool/command/report/ReportSections.h"
#include "tool/command/show/ShownProfile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace sendwright {

namespace {

struct ReportOptions {
  ReportFiles files;
  std::string output;
};

void report(const ReportOptions &options) {
  ReportData data;
  readReportData(options.files, data);
  const Activity activity("describing", data.name());
  nlohmann::ordered_json json = {
      {"version", SENDWRIGHT_VERSION},
      {"profile_name", data.name()},
      {"plan_name", data.files.plan},
      {"machine", {{"name", data.machine.name}, {"given", !data.files.machine.empty()}}},
      {"profile", profileJson(data.profile, data.name(), data.profileBytes)},
      {"sections", reportSections(data)}};
  writeWholeFile(options.output, reportPage(json));
}

} // namespace

void addReportCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("report", "A page that shows a run before and after its plan");
  auto options = std::make_shared<ReportOptions>();
  command
      ->add_option("PROFILE", options->files.profiles,
                   "Profile or text trace of the run to show, - for standard input; further "
                   "profiles show how the program scales")
      ->required();
  command->add_option("--plan", options->files.plan, "Plan to compare with");
  command->add_option("--machine", options->files.machine,
                      "Machine file (default: the plan's machine; without a plan, a switched "
                      "Gigabit Ethernet cluster)");
  command->add_option(
      "--diff", options->files.diff,
      "What the plan rewrites, from `sendwright rewrite --diff`: shown at each site");
  command->add_option("-o,--output", options->output, "The page, - for standard output")
      ->required();
  options->files.events = 5'000'000;
  command
      ->add_option("--events", options->files.events,
                   "Simulate at most this many events of all ranks together")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str();
  command->callback([options] { report(*options); });
}

} // namespace sendwright
