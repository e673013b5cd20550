// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_SCHEDULEDRUN_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_SCHEDULEDRUN_H

#include "analysis/transformation/RunBehaviour.h"

#include <memory>

namespace sendwright {

/// A run in which loops go by the plan's schedules (ScheduledLoops.h); null if none does.
std::unique_ptr<RunBehaviour> scheduledRun(const SimulatedPlan &run);

} // namespace sendwright

#endif
