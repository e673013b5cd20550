// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/PlanContents.h"

#include <algorithm>

namespace sendwright {

#define TRANSFORMATION(name) const PlanContent &contentOf##name();
#include "analysis/plan/Transformations.def"

const std::vector<const PlanContent *> &planContents() {
  static const std::vector<const PlanContent *> all = {
#define TRANSFORMATION(name) &contentOf##name(),
#include "analysis/plan/Transformations.def"
  };
  return all;
}

const PlanContent *planContentOf(std::string_view stem) {
  for (const PlanContent *content : planContents())
    if (content->stem() == stem)
      return content;
  return nullptr;
}

const std::vector<PlanSection> &planSections() {
  static const std::vector<PlanSection> all = [] {
    std::vector<PlanSection> found;
    for (const PlanContent *content : planContents())
      for (const PlanSection &section : content->sections())
        found.push_back(section);
    std::ranges::sort(found, {}, &PlanSection::tag);
    return found;
  }();
  return all;
}

} // namespace sendwright
