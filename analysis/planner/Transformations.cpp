// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/Transformations.h"

namespace sendwright {

std::vector<std::unique_ptr<Transformation>> makeTransformations() {
  std::vector<std::unique_ptr<Transformation>> all;
  all.push_back(makeMessageOrdering());
  all.push_back(makeMessageSharing());
  all.push_back(makeCollectives());
  all.push_back(makeRedistribution());
  return all;
}

} // namespace sendwright
