// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/Transformations.h"

namespace sendwright {

#define TRANSFORMATION(name) std::unique_ptr<Transformation> make##name();
#include "analysis/plan/Transformations.def"

std::vector<std::unique_ptr<Transformation>> makeTransformations() {
  std::vector<std::unique_ptr<Transformation>> all;
#define TRANSFORMATION(name) all.push_back(make##name());
#include "analysis/plan/Transformations.def"
  return all;
}

} // namespace sendwright
