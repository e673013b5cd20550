// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of runs that are written down call by call, and look-ups for tests.

#ifndef SENDWRIGHT_TEST_ANALYSIS_PLANNER_PLANNERFIXTURE_H
#define SENDWRIGHT_TEST_ANALYSIS_PLANNER_PLANNERFIXTURE_H

#include "test/analysis/run/RunBuilder.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/ordering/KeyedOrder.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/planner/Planner.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sendwright {

// Rank 0 sends to 1, 2 and 3; rank 3 has the most to send afterwards.
inline const SendLists first{{1, 2, 3}, {0}, {0}, {0}};
inline const SendLists second{{1}, {0}, {0}, {0, 1, 2}};

inline PlannerOptions defaults() {
  PlannerOptions options;
  options.machine = defaultMachine();
  return options;
}

inline PlannerOptions onInfiniband(RunReplay replay) {
  PlannerOptions options;
  options.machine =
      readMachine(SENDWRIGHT_ANALYSIS_TEST_INPUTS "/../../../examples/platforms/infiniband.json");
  options.machine.duplication.reset(); // the runs are shorter than a duplication
  options.replay = replay;
  return options;
}

inline ProfilePlan planOf(const RunBuilder &run, const PlannerOptions &options = defaults()) {
  return planProfile(run.profile, "test.prof", options);
}

inline const SitePlan *findSite(const ProfilePlan &plan, unsigned line) {
  for (const SitePlan &site : plan.plan.sites)
    if (site.site.line == line)
      return &site;
  return nullptr;
}

/// The order of `rank` at the site in this line that has these destinations; empty if there is
/// none.
inline std::vector<int> orderOf(const ProfilePlan &plan, unsigned line, int rank,
                                std::vector<int> destinations) {
  std::sort(destinations.begin(), destinations.end());
  for (const RankSite &site : plan.plan.of<PlannedOrders>().ranks[rank]) {
    if (plan.plan.sites[site.site].site.line != line)
      continue;
    for (const SendOrder &order : site.orders) {
      std::vector<int> sorted = order.destinations;
      std::sort(sorted.begin(), sorted.end());
      if (sorted == destinations)
        return order.destinations;
    }
  }
  return {};
}

inline void expectLeft(const ProfilePlan &plan, unsigned line, LeaveReason kind,
                       const char *reason) {
  const SitePlan *site = findSite(plan, line);
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->decision, Decision::Leave);
  EXPECT_NE(site->reason.find(reason), std::string::npos) << site->reason;
  EXPECT_EQ(plan.reasons[static_cast<std::size_t>(site - plan.plan.sites.data())], kind)
      << site->reason;
  for (const std::vector<RankSite> &rank : plan.plan.of<PlannedOrders>().ranks)
    for (const RankSite &orders : rank)
      EXPECT_NE(plan.plan.sites[orders.site].site.line, line);
}

/// max c'_p in sends.
inline void expectFigures(const OrderingFigures &figures, double given, double planned,
                          double worst, double bound) {
  EXPECT_NEAR(figures.given / figures.unit, given, 1e-9) << figures.phase;
  EXPECT_NEAR(figures.planned / figures.unit, planned, 1e-9) << figures.phase;
  EXPECT_NEAR(figures.worst / figures.unit, worst, 1e-9) << figures.phase;
  EXPECT_NEAR(figures.lowerBound / figures.unit, bound, 1e-9) << figures.phase;
}

inline const OrderingFigures *findPhase(const SitePlan &site, const char *name) {
  for (const OrderingFigures &figures : site.of<SiteOrdering>().figures)
    if (figures.phase.starts_with(name))
      return &figures;
  return nullptr;
}

} // namespace sendwright

#endif
