// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering: a send loop whose messages leave in the order of the plan.
//
// The loop is put into a batch (runtime/batch/), which holds its sends back and issues them in
// planned order at the end. Its text stays as it is.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_MESSAGEORDERING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_MESSAGEORDERING_H

#include "tool/transformations/Rewrite.h"

namespace sendwright {

/// Puts the loops into batches that the plan wants there and that may be deferred. Every loop of
/// the plan gets a remark: what it gains, or why it stays; so does every loop that sends and that
/// no profile has seen sending, and every function whose planned loop is no longer there.
void orderMessages(Rewrite &rewrite, const Plan &plan);

/// What the remark of a rewritten loop says, without the site.
std::string describeOrdering(const SitePlan &site);

} // namespace sendwright

#endif
