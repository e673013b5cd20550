// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The send loops of a unit and what the plan wants of each: its messages in another order, or on
// their way through other ranks. Either takes the same scope around the loop (runtime/batch/),
// whose text stays as it is; the plan that the program carries says what happens in it.

#ifndef SENDWRIGHT_TOOL_UNIT_PLANNEDLOOPS_H
#define SENDWRIGHT_TOOL_UNIT_PLANNEDLOOPS_H

#include "tool/rewrite/Rewrite.h"

#include <string>
#include <vector>

namespace sendwright {

/// What one rank count's plan says of a site, in a template of one instantiation of it.
struct PlannedLoop {
  int ranks = 0;
  const RankCountPlan *plan = nullptr;
  std::uint32_t index = 0; ///< of the site in the plan
  const SitePlan &site() const { return plan->sites[index]; }
  bool rewrites() const { return site().decision == Decision::Rewrite; }
};

/// What the plan says of a loop, by rank count.
std::vector<PlannedLoop> findInPlan(const Plan &plan, const SiteIdentity &identity);

/// Whether it is to be replaced by a collective operation (Collectives.h), without a scope.
bool isReplaced(const PlannedLoop &planned);

/// " on 8 ranks" where the plan has several rank counts.
std::string ranksNote(const PlannedLoop &planned, const Plan &plan);

/// Puts scopes around the loops that the plan wants rewritten and that may be deferred. Every loop
/// of the plan gets a remark: what it gains, or why it stays; so does every loop that sends and
/// that no profile has seen sending, and every function whose planned loop is no longer there.
void rewriteSendLoops(Rewrite &rewrite, const Plan &plan);

/// "predicted gain 12.3 us (22.6 %) per execution".
std::string gainOf(const SitePlan &site);

} // namespace sendwright

#endif
