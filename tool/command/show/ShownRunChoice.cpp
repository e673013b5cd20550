// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownRunChoice.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "analysis/planner/RunReasons.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <string>

namespace sendwright {

namespace {

/// "5.3 % less".
std::string changeText(double before, double after) {
  const double percent = before > 0 ? 100 * (after - before) / before : 0;
  if (std::abs(percent) < 5e-4)
    return "no change";
  return percentText(std::abs(percent)) + (percent < 0 ? " less" : " more");
}

std::string whyChosen(const ProfilePlan &planned, std::size_t site, double thresholdPercent) {
  const SiteOutcome &outcome = planned.run->sites[site];
  if (outcome.endless())
    return outcome.bestText + ": ranks would wait for one another";
  const std::string change = changeText(outcome.before, outcome.after);
  if (outcome.choice != 0)
    return change;
  if (!outcome.tried)
    return describe(planned.reasons[site]);
  const std::string text = outcome.bestText + ": " + change;
  return judgeRun(outcome, thresholdPercent).obstacle == SiteObstacle::BelowThreshold
             ? text + ", below the threshold"
             : text;
}

} // namespace

void printRunChoice(std::FILE *out, const ProfilePlan &planned, const PlannerOptions &options) {
  if (!planned.run || (planned.run->sites.empty() && !planned.run->alltoallv))
    return;
  const RunChoice &run = *planned.run;
  std::fprintf(out, "\n  the whole run, %s, replayed %" PRIu64 " times (%" PRIu64 " events%s)\n",
               options.replay == RunReplay::Choose ? "which decides"
                                                   : "each site decided by its own model",
               run.replays, run.events,
               run.cut ? ", its first part; times are estimates for the whole run" : "");
  if (run.stuck > 0)
    std::fprintf(out,
                 "    not replayed to its end: %" PRIu64
                 " of %zu ranks would wait forever (%s); the times cover only the beginning\n",
                 run.stuck, planned.ranks, printable(run.stuckAt).c_str());
  std::size_t width = 4;
  for (const SitePlan &site : planned.plan.sites)
    width = std::max(width, site.site.display().size());
  const int columns = static_cast<int>(width);
  const auto line = [&](const std::string &site, const char *choice, double before, double after,
                        const std::string &why) {
    std::fprintf(out, "    %-*s  %-20s  %12s  %12s  %s\n", columns, site.c_str(), choice,
                 runTimeText(before).c_str(),
                 std::isfinite(after) ? runTimeText(after).c_str() : "never", why.c_str());
  };
  std::fprintf(out, "    %-*s  %-20s  %12s  %12s  %s\n", columns, "site", "choice", "before",
               "after", "why");
  for (std::size_t site = 0; site < run.sites.size(); ++site) {
    const SiteOutcome &outcome = run.sites[site];
    line(planned.plan.sites[site].site.display(), outcome.choiceText.c_str(), outcome.before,
         outcome.after, whyChosen(planned, site, options.thresholdPercent));
  }
  if (run.alltoallv)
    line("redistribute directives", "schedule", *run.alltoallv, run.asWritten,
         changeText(*run.alltoallv, run.asWritten) + " than by MPI_Alltoallv");
  line("all", "", run.asWritten, run.chosen, changeText(run.asWritten, run.chosen));
}

} // namespace sendwright
