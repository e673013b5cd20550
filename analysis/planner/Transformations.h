// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each transformation that the planner knows.

#ifndef SENDWRIGHT_ANALYSIS_PLANNER_TRANSFORMATIONS_H
#define SENDWRIGHT_ANALYSIS_PLANNER_TRANSFORMATIONS_H

#include "analysis/planner/Transformation.h"

#include <memory>

namespace sendwright {

std::unique_ptr<Transformation> makeMessageOrdering();
std::unique_ptr<Transformation> makeMessageSharing();
std::unique_ptr<Transformation> makeCollectives();
std::unique_ptr<Transformation> makeRedistribution();

} // namespace sendwright

#endif
