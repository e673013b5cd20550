// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright report-scaling PROFILE...: how a program scales, from profiles of runs with several
// numbers of ranks, as a table and as charts.

#include "analysis/file/FigureText.h"
#include "tool/command/Commands.h"

#include "analysis/file/Activity.h"
#include "analysis/file/NumberList.h"
#include "analysis/scaling/Scaling.h"
#include "tool/command/ScalingCharts.h"
#include "tool/command/base/JsonOutput.h"
#include "tool/command/base/NumberListOption.h"
#include "tool/command/show/ShownScaling.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

namespace {

struct ReportScalingOptions {
  std::vector<std::string> profiles;
  std::string sizes, folder;
  std::optional<double> serial;
  bool json = false;
};

constexpr NumberListSyntax sizeSyntax{"LIST|@FILE", "sizes, one for each profile",
                                      std::uint64_t{1} << 53};

ShownScaling evaluate(const ReportScalingOptions &options) {
  std::vector<std::uint64_t> sizes;
  if (!options.sizes.empty())
    sizes = parseNumberList(options.sizes, "--size", sizeSyntax.expected, sizeSyntax.largest);
  if (!sizes.empty() && sizes.size() != options.profiles.size())
    throw CLI::ValidationError("--size", "found " + std::to_string(sizes.size()) +
                                             ", expected one for each of " +
                                             std::to_string(options.profiles.size()) + " profiles");
  std::vector<ScalingRun> runs;
  for (const std::string &name : options.profiles) {
    const Activity activity("reading", name);
    ScalingRun run = scalingRunOf(readProfile(name), name == "-" ? "<stdin>" : name);
    if (!sizes.empty())
      run.size = static_cast<double>(sizes[runs.size()]);
    if (!(run.size > 0))
      throw CLI::ValidationError("--size", "found 0, expected sizes of at least 1");
    runs.push_back(std::move(run));
  }
  return shownScaling(analyzeScaling(std::move(runs), options.serial));
}

// Tables.

void printDoubts(const ShownScaling &result) {
  const std::vector<LawDoubt> doubts = doubtsOf(result);
  if (doubts.empty())
    return;
  std::printf("\nwarning: do not trust the law beyond these runs:\n");
  for (const LawDoubt doubt : doubts)
    std::printf("  - %s\n", doubtText(doubt));
}

/// Runs on fewer ranks beside what they should take at most, by the run with the most ranks.
void printScaledDown(const ScalingReport &report) {
  if (report.scaledDown.empty())
    return;
  std::printf("\nscaled down from the most ranks p of the same size: T_q <= p T_p / q + T_p\n"
              "%8s %12s %14s %14s\n",
              "ranks q", "size", "T_q, s", "at most, s");
  for (const ScaledDown &down : report.scaledDown)
    std::printf("%8d %12.6g %14.9f %14.9f%s\n", down.ranks, down.size, down.seconds, down.bound,
                down.seconds <= down.bound ? "" : "  longer: it does more work than on p ranks");
}

void printLaws(const ScalingReport &report) {
  std::printf("\noverhead T_o = p T_p - T_s, fitted to the %zu run%s with two ranks or more that "
              "have overhead\n",
              report.fitted, report.fitted == 1 ? "" : "s");
  for (const OverheadLaw &law : report.laws) {
    std::printf("  T_o = %-32s", lawText(law).c_str());
    if (law.residual)
      std::printf(" residual %.1f %%\n", 100 * std::expm1(*law.residual));
    else
      std::printf(" too few runs to tell: the law passes through them in any case\n");
  }
  if (report.sizeFollowsRanks)
    std::printf("  the size follows the ranks in these runs: their effects cannot be told apart, "
                "and a law holds only for such runs\n");
}

void printIsoefficiency(const ShownScaling &result) {
  const OverheadLaw &law = result.report.laws[0];
  const std::string growth = isoefficiencyText(law);
  if (growth.empty()) {
    std::printf("\nisoefficiency: overhead grows as fast as the work; no amount of work keeps the "
                "efficiency constant\n");
    return;
  }
  std::printf("\nisoefficiency: work must grow as %s\n  T_s in seconds that is needed for an "
              "efficiency of\n  %8s",
              growth.c_str(), "ranks");
  for (double efficiency : shownEfficiencies)
    std::printf(" %13.0f %%", 100 * efficiency);
  std::printf("\n");
  for (double ranks : result.ranks) {
    std::printf("  %8.0f", ranks);
    for (double efficiency : shownEfficiencies)
      std::printf(" %15.6g", law.serialFor(ranks, efficiency).value_or(0));
    std::printf("%s\n", ranks > result.ranks[result.ranks.size() - 1 - result.beyond]
                            ? "  beyond the runs"
                            : "");
  }
}

void printTable(const ShownScaling &result) {
  const ScalingReport &report = result.report;
  std::printf("time of one processor, T_s: %s\n\n", sourceText(report.source));
  std::printf("%8s %12s %14s %14s %9s %11s %14s %14s %14s\n", "ranks", "size", "T_p, s", "T_s, s",
              "speed-up", "efficiency", "communication", "overhead, s", "by the law, s");
  for (const ScalingRow &row : report.rows) {
    std::printf("%8d %12.6g %14.9f %14.9f %9.3f %9.1f %% %12.1f %% %14.9f", row.run.ranks,
                row.run.size, row.run.seconds, row.serial, row.speedUp, 100 * row.efficiency,
                100 * row.communication, row.overhead);
    if (row.run.ranks > 1 && !report.laws.empty())
      std::printf(" %14.9f", report.laws[0].overhead(row.run.ranks, row.serial));
    std::printf("\n");
  }
  printScaledDown(report);
  if (report.laws.empty()) {
    std::printf("\nno overhead to fit a law to: runs with at least two ranks are needed\n");
    return;
  }
  printLaws(report);
  printDoubts(result);
  if (!report.sizeFollowsRanks)
    printIsoefficiency(result);
}

} // namespace

void addReportScalingCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "report-scaling", "Speed-up, efficiency and isoefficiency over numbers of ranks");
  auto options = std::make_shared<ReportScalingOptions>();
  command->add_option("PROFILE", options->profiles, "Profiles, one for each run")->required();
  command->add_option("-o,--output", options->folder,
                      "Folder for charts (SVG), which gnuplot draws");
  addNumberListOption(*command, "--size", options->sizes,
                      "Work of each run, in any unit in which the time of one processor is linear "
                      "(default: the same for all)",
                      sizeSyntax);
  command
      ->add_option("--serial", options->serial,
                   "Seconds of one processor for the first profile's work (default: from a run on "
                   "one rank, else the computation of the run with the fewest ranks)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "One JSON object instead of tables");
  command->callback([options] {
    const ShownScaling result = evaluate(*options);
    if (!options->folder.empty())
      writeScalingCharts(result, options->folder);
    options->json ? writeJson(scalingJson(result)) : printTable(result);
  });
}

} // namespace sendwright
