// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans that somebody changed: fields of any section, behind right checksums. And what becomes of a
// run that follows such a plan, told without the code that verifies plans.

#ifndef SENDWRIGHT_TEST_BENCHMARK_PLANCHANGES_PLANCHANGES_H
#define SENDWRIGHT_TEST_BENCHMARK_PLANCHANGES_PLANCHANGES_H

#include "analysis/plan/Plan.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sendwright {

/// Plans for four ranks that have something of one kind, for the program beside this file: its
/// loops are sites with the hashes 1, 2, ...
RankCountPlan planOfCollectives();
RankCountPlan planOfExchanges();
RankCountPlan planOfOrders();
/// Steps of no program.
RankCountPlan planOfSynchronization(SynchronizationKind kind);

struct ChangedPlan {
  std::string change; ///< for a person
  RankCountPlan plan;
};

/// Each field of each collective and each of its steps, changed alone: another peer, slot, number
/// of slots, arrival, number of bytes, root, ...; and each step gone, twice and changed with the
/// next.
std::vector<ChangedPlan> everyChangeOfCollectives(const RankCountPlan &plan);

/// One field changed, or up to four, in any section.
ChangedPlan randomChange(const RankCountPlan &plan, std::mt19937 &random);

/// What would go wrong in a run that follows the plan: a rank waits for good, or a message or block
/// is lost, comes twice or goes astray; nothing where all is well.
std::optional<std::string> harmOf(const RankCountPlan &plan);

} // namespace sendwright

#endif
