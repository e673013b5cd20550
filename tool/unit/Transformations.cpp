// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/Transformations.h"

namespace sendwright {

#define LOOP_TRANSFORMATION(name) extern const LoopTransformation loopTransformation##name;
#define UNIT_TRANSFORMATION(name) std::unique_ptr<UnitTransformation> makeUnit##name();
#include "tool/unit/Transformations.def"

const std::vector<const LoopTransformation *> &loopTransformations() {
  static const std::vector<const LoopTransformation *> all = {
#define LOOP_TRANSFORMATION(name) &loopTransformation##name,
#include "tool/unit/Transformations.def"
  };
  return all;
}

const LoopTransformation *loopTransformation(std::string_view stem) {
  for (const LoopTransformation *each : loopTransformations())
    if (each->stem == stem)
      return each;
  return nullptr;
}

std::vector<std::unique_ptr<UnitTransformation>> makeUnitTransformations() {
  std::vector<std::unique_ptr<UnitTransformation>> all;
#define UNIT_TRANSFORMATION(name) all.push_back(makeUnit##name());
#include "tool/unit/Transformations.def"
  return all;
}

} // namespace sendwright
