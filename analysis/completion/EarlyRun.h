// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_COMPLETION_EARLYRUN_H
#define SENDWRIGHT_ANALYSIS_COMPLETION_EARLYRUN_H

#include "analysis/transformation/RunBehaviour.h"

#include <memory>

namespace sendwright {

/// How a simulated run goes if the sends of the plan's sites complete early; null if the plan has
/// no such sites.
std::unique_ptr<RunBehaviour> earlyRun(const SimulatedPlan &run);

} // namespace sendwright

#endif
