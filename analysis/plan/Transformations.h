// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_PLAN_TRANSFORMATIONS_H
#define SENDWRIGHT_ANALYSIS_PLAN_TRANSFORMATIONS_H

#include "analysis/transformation/Transformation.h"

#include <memory>
#include <vector>

namespace sendwright {

/// All transformations (analysis/plan/Transformations.def), in the order in which they propose.
std::vector<std::unique_ptr<Transformation>> makeTransformations();

} // namespace sendwright

#endif
