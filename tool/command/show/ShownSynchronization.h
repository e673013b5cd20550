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
/// source with how often ranks act before them, "acts_unmarked" before others; and "ranks": of each
/// its steps written out as a grammar would be too long, so their numbers.
nlohmann::ordered_json synchronizationJson(const SynchronizationPlan &plan);

/// A few lines on standard output; nothing where the plan synchronises nothing.
void printSynchronization(const SynchronizationPlan &plan);

/// Before which calls ranks wait for others or tell them something, and how often it is the runtime
/// alone that knows; nothing where nobody does.
void printSynchronizedCalls(std::FILE *out, const SynchronizationPlan &plan);

} // namespace sendwright

#endif
