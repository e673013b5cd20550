// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_PLAN_KNOWNSECTIONS_H
#define SENDWRIGHT_ANALYSIS_PLAN_KNOWNSECTIONS_H

#include "analysis/transformation/PlanSections.h"

#include <string_view>
#include <vector>

namespace sendwright {

/// What each transformation keeps in a plan, in the order of Transformations.def. The objects live
/// as long as the program.
const std::vector<const PlanSections *> &knownSections();

/// The content of one transformation, or null.
const PlanSections *knownSectionsOf(std::string_view stem);

/// All kinds of sections of all transformations, by tag.
const std::vector<PlanSection> &sectionKinds();

} // namespace sendwright

#endif
