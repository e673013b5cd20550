// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What layers above the batch ask about the plans in the program.

#ifndef SENDWRIGHT_RUNTIME_BATCH_PLANSITES_H
#define SENDWRIGHT_RUNTIME_BATCH_PLANSITES_H

#include "analysis/plan/Plan.h"
#include "runtime/batch/Batch.h"

#include <cstdint>

namespace sendwright {

/// This rank's part of the unit's plan; null if it could not be read. Lives forever.
const RankCountPlan *planOfUnit(const sendwright_unit &unit);

/// A site of that plan, created if no transformation has added it. Lives forever. Throws
/// std::bad_alloc.
PlannedSite &plannedSiteOf(const sendwright_unit &unit, std::uint32_t site);

/// The turns of that site, or null if no scope takes any there.
SiteTurns *turnsOf(const sendwright_unit &unit, std::uint32_t site);

/// Whether a unit of the program has the loop of the site, and its verdict holds.
bool isUsable(const sendwright_unit &unit, std::uint32_t site);

/// What a run can learn from a plan.
struct LearnedLoops {
  int sites = 0;   ///< how many loops learn (PlannedSite::learnedAs)
  std::string why; ///< "the plan in halo.c is for 27 ranks, but this run has 64"; "" if it is not
  Machine machine; ///< the plan's
};
/// For the unit's plan: sites only if it is for other numbers of ranks. Throws std::bad_alloc.
LearnedLoops learnedLoopsOf(const sendwright_unit &unit);
/// Unless loops learn, says of each plan for other numbers of ranks that its loops run as written,
/// and why if `reason` is not null; once for each plan.
void sayWhatDoesNotLearn(const char *reason = nullptr);

SiteIdentity identityOf(const sendwright_site &site);
/// A digest of what makes a site that site, the same on all ranks.
std::uint64_t digestOf(const SiteIdentity &identity);

/// Creates the batch if no unit has a plan, for sites that come later. On the thread that called
/// MPI_Init; no other thread may call MPI.
void makeBatchWithoutPlan();

} // namespace sendwright

#endif
