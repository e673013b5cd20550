// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The synchronisation of a plan, for `sendwright show` and `sendwright plan`.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSYNCHRONIZATION_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSYNCHRONIZATION_H

#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// "kind", "buffers", "super_epochs", "synchronizations", "wildcard_receives"; "calls" of the
/// source, each with how often ranks act before it; "acts_unmarked" before other calls; and
/// "ranks", each with the numbers of its steps, as the steps written out would be too long.
nlohmann::ordered_json synchronizationJson(const SynchronizationPlan &plan);

/// A few lines on standard output; nothing where the plan synchronises nothing.
void printSynchronization(const SynchronizationPlan &plan);

/// Prints before which calls ranks wait for other ranks or tell them something, and how often no
/// marked call says so; nothing where no rank does.
void printSynchronizedCalls(std::FILE *out, const SynchronizationPlan &plan);

} // namespace sendwright

#endif
