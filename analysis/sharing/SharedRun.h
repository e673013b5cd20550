// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHAREDRUN_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHAREDRUN_H

#include "analysis/transformation/RunBehaviour.h"

#include <memory>

namespace sendwright {

/// A run in which messages travel by the plan's routes (RoutedMessages.h); null if it shares none.
std::unique_ptr<RunBehaviour> sharedRun(const SimulatedPlan &run);

} // namespace sendwright

#endif
