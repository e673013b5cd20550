// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/start/Transformations.h"

namespace sendwright {

#define TRANSFORMATION(name) extern const RunTransformation runTransformation##name;
#include "runtime/start/Transformations.def"

RunTransformations runTransformations() {
  static constexpr const RunTransformation *all[] = {
#define TRANSFORMATION(name) &runTransformation##name,
#include "runtime/start/Transformations.def"
  };
  return all;
}

} // namespace sendwright
