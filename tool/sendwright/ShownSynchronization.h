// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The synchronisation of a plan, for `sendwright show`.

#ifndef SENDWRIGHT_TOOL_SENDWRIGHT_SHOWNSYNCHRONIZATION_H
#define SENDWRIGHT_TOOL_SENDWRIGHT_SHOWNSYNCHRONIZATION_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

namespace sendwright {

/// "kind", "buffers", "super_epochs", "synchronizations", "wildcard_receives"; and "ranks": of each
/// its steps written out as a grammar would be too long, so their numbers.
nlohmann::ordered_json synchronizationJson(const SynchronizationPlan &plan);

/// A few lines on standard output; nothing where the plan synchronises nothing.
void printSynchronization(const SynchronizationPlan &plan);

} // namespace sendwright

#endif
