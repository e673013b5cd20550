// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans that somebody changed: fields of any section, with correct checksums. And what happens in a
// run that follows such a plan, found without the code that verifies plans.

#ifndef SENDWRIGHT_TEST_BENCHMARK_PLANCHANGES_PLANCHANGES_H
#define SENDWRIGHT_TEST_BENCHMARK_PLANCHANGES_PLANCHANGES_H

#include "analysis/plan/Plan.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sendwright {

/// A plan for four ranks with something of one kind, for the program beside this file. Its loops
/// are sites with the hashes 1, 2, ...
RankCountPlan planOfCollectives();
RankCountPlan planOfExchanges();
RankCountPlan planOfOrders();
/// The steps belong to no program.
RankCountPlan planOfSynchronization(SynchronizationKind kind);

struct ChangedPlan {
  std::string change; ///< for a person
  RankCountPlan plan;
};

/// Changes each field of each collective and each of its steps alone: another peer, slot, number of
/// slots, arrival, number of bytes, root, ...; and each step removed, repeated, and swapped with
/// the next.
std::vector<ChangedPlan> everyChangeOfCollectives(const RankCountPlan &plan);

/// Changes one field, or up to four, in any section.
ChangedPlan randomChange(const RankCountPlan &plan, std::mt19937 &random);

/// What would go wrong in a run that follows the plan: a rank waits forever, or a message or block
/// is lost, duplicated or misdirected; nothing where all is well.
std::optional<std::string> harmOf(const RankCountPlan &plan);

} // namespace sendwright

#endif
