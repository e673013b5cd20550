// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_RUNTIME_START_TRANSFORMATIONS_H
#define SENDWRIGHT_RUNTIME_START_TRANSFORMATIONS_H

#include "runtime/batch/RunTransformation.h"

namespace sendwright {

/// Those of Transformations.def.
RunTransformations runTransformations();

} // namespace sendwright

#endif
