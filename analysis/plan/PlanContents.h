// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANCONTENTS_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANCONTENTS_H

#include "analysis/transformation/PlanContent.h"

#include <string_view>
#include <vector>

namespace sendwright {

/// What each transformation keeps in a plan, in the order of Transformations.def. The objects live
/// as long as the program.
const std::vector<const PlanContent *> &planContents();

/// The content of one transformation, or null.
const PlanContent *planContentOf(std::string_view stem);

/// All kinds of sections of all transformations, by tag.
const std::vector<PlanSection> &planSections();

} // namespace sendwright

#endif
