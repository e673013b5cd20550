// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of three ranks for tests of plan files: a reduction of all three, an all-to-all of
// two.

#ifndef SENDWRIGHT_TEST_ANALYSIS_COLLECTIVES_PLANNEDCOLLECTIVESSAMPLE_H
#define SENDWRIGHT_TEST_ANALYSIS_COLLECTIVES_PLANNEDCOLLECTIVESSAMPLE_H

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/machine/Machine.h"
#include "analysis/plan/Plan.h"
#include "analysis/schedules/Collectives.h"

namespace sendwright {

inline Schedule scheduleNamed(Collective operation, std::string_view name,
                              const CollectiveTask &task) {
  for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
    if (algorithm.name == name)
      return algorithm.schedule(task, defaultMachine().between, SlotsKept::Yes);
  return {};
}

/// The plan is for three ranks and has two sites from `site` on.
inline void addPlannedCollectives(RankCountPlan &plan, std::uint32_t site = 0) {
  const Communicator everyone{{0, 1, 2}, 0, false}, two{{2, 0}, 4, false};
  plan.of<PlannedCollectives>().collectives = {
      {site, Collective::Reduce, everyone, 1, "binomial tree", 800, 1},
      {site + 1, Collective::AllToAll, two, 0, "Bruck", 8, 4}};
  const std::vector<RankCollective> reduce =
      collectivePartsOf(0, scheduleNamed(Collective::Reduce, "binomial tree", {3, 800, 1}));
  const std::vector<RankCollective> exchange =
      collectivePartsOf(1, scheduleNamed(Collective::AllToAll, "Bruck", {2, 8, 0}));
  plan.of<PlannedCollectives>().rankCollectives = {
      {reduce[0], exchange[1]}, {reduce[1]}, {reduce[2], exchange[0]}};
  for (const std::uint32_t replaced : {site, site + 1}) {
    plan.sites[replaced].decision = Decision::Rewrite;
    plan.sites[replaced].transformation = "collectives";
  }
  plan.sites[site].of<SiteCollective>().prediction = {
      Collective::Reduce, "binomial tree", 3, 800, 12, 4e-6, 3e-6};
  plan.sites[site + 1].of<SiteCollective>().refusal =
      RefusalText::asRead("the blocks have 8 to 16 bytes");
}

} // namespace sendwright

#endif
