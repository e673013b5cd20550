// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/LoopTransformations.h"

#include "tool/transformations/ordering/MessageOrdering.h"
#include "tool/transformations/sharing/MessageSharing.h"

namespace sendwright {

const std::vector<const LoopTransformation *> &loopTransformations() {
  static const std::vector<const LoopTransformation *> all = {
      &messageOrdering,
      &messageSharing,
  };
  return all;
}

const LoopTransformation *loopTransformation(std::string_view stem) {
  for (const LoopTransformation *each : loopTransformations())
    if (each->stem == stem)
      return each;
  return nullptr;
}

} // namespace sendwright
