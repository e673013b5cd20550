// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARRUN_H
#define SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARRUN_H

#include "analysis/transformation/RunBehaviour.h"

#include <memory>

namespace sendwright {

/// A simulated run in which irregular collectives of the plan are done by messages of their own;
/// null if the plan has no such collectives.
std::unique_ptr<RunBehaviour> irregularRun(const SimulatedPlan &run);

} // namespace sendwright

#endif
