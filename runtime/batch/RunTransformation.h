// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformation as the runtime sees it: what the batch does at the sites in this rank's part of
// a plan, and what ranks begin together. Each is one constant in its own folder, listed in
// runtime/start/Transformations.def; nothing else names it.

#ifndef SENDWRIGHT_RUNTIME_BATCH_RUNTRANSFORMATION_H
#define SENDWRIGHT_RUNTIME_BATCH_RUNTRANSFORMATION_H

#include "analysis/ordering/IssueOrder.h"
#include "analysis/transformation/RankCountPlan.h"
#include "analysis/verification/VerifiedGains.h"
#include "runtime/batch/Batch.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace sendwright {

/// Makes a site of the plan a site whose loop has a scope, in which the batch issues what it holds
/// in these orders. Returns the site, which lives as long as the process. Throws std::bad_alloc.
using AddPlannedSite = std::function<PlannedSite *(std::uint32_t site, IssueOrders orders)>;

struct RunTransformation {
  std::string_view stem; ///< its name in plans
  /// Adds the sites where something must be done according to this rank's part of the plan. Null:
  /// there are never any.
  void (*addSites)(const RankCountPlan &own, const AddPlannedSite &add) = nullptr;
  /// Whether its sites learn at run time in runs of other numbers of ranks
  /// (PlannedSite::learnedAs).
  bool isLearnedByOtherRuns = false;

  /// The orders in which this rank sends what a site holds in a run of another number of ranks, if
  /// the plan's say what these are. Null: there are never any.
  std::optional<IssueOrders> (*ordersOfOtherRuns)(const SitePlan &site, int rank,
                                                  int ranks) = nullptr;

  /// Gives turns to the sites of this rank's part whose executions may also run as written. Called
  /// once, when the transformation has begun. Null: its sites are not verified.
  void (*takeTurns)(const sendwright_unit &unit, const RankCountPlan &own,
                    const MakeSiteTurns &make) = nullptr;

  /// What takes turns without being a site; all null if there is nothing. Numbers are from 0 on,
  /// the same on all ranks.
  struct BesideSites {
    std::size_t (*count)(const RankCountPlan &own) = nullptr;
    /// Likewise called once, when the transformation has begun.
    void (*takeTurns)(const MakeSiteTurns &make) = nullptr;
    /// Says which calls they are.
    VerifiedSite (*identify)(const RankCountPlan &own, std::size_t number) = nullptr;
  } besideSites = {};

  /// What ranks can only begin together; all null if each rank follows its own part.
  struct Together {
    /// Whether the plan asks for it: if so, it does on all ranks, unless they run different
    /// programs.
    bool (*isPlanned)(const void *plan, std::size_t size, int ranks) noexcept = nullptr;
    /// Why this rank cannot begin it, or null.
    const char *(*obstacle)(const sendwright_unit &unit) = nullptr;
    /// Called when all ranks can begin it. Returns why MPI cannot, or null.
    const char *(*begin)(const sendwright_unit &unit) = nullptr;
    const char *otherwise = nullptr;  ///< what happens otherwise: "no messages are shared"
    bool isLeftWhileLearning = false; ///< the runtime itself finds out what the plan would say
  } together = {};
};

} // namespace sendwright

#endif
