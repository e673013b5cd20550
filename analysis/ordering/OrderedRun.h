// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_ORDEREDRUN_H
#define SENDWRIGHT_ANALYSIS_ORDERING_ORDEREDRUN_H

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/transformation/RunBehaviour.h"

#include <memory>
#include <string_view>

namespace sendwright {

/// A run in which the loops that the plan rewrites by `stem` send in the plan's orders; null if
/// it has none. Linear in the plan's orders and, while the run is simulated, in the messages.
std::unique_ptr<RunBehaviour> orderedRun(const SimulatedPlan &run, std::string_view stem);

} // namespace sendwright

#endif
