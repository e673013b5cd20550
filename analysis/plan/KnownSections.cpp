// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/KnownSections.h"

#include <algorithm>

namespace sendwright {

#define TRANSFORMATION(name) const PlanSections &sectionsOf##name();
#include "analysis/plan/Transformations.def"

const std::vector<const PlanSections *> &knownSections() {
  static const std::vector<const PlanSections *> all = {
#define TRANSFORMATION(name) &sectionsOf##name(),
#include "analysis/plan/Transformations.def"
  };
  return all;
}

const PlanSections *knownSectionsOf(std::string_view stem) {
  for (const PlanSections *content : knownSections())
    if (content->stem() == stem)
      return content;
  return nullptr;
}

const std::vector<PlanSection> &sectionKinds() {
  static const std::vector<PlanSection> all = [] {
    std::vector<PlanSection> found;
    for (const PlanSections *content : knownSections())
      for (const PlanSection &section : content->sections())
        found.push_back(section);
    std::ranges::sort(found, {}, &PlanSection::tag);
    return found;
  }();
  return all;
}

} // namespace sendwright
