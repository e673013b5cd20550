// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of transformations that put a scope around a send loop.

#ifndef SENDWRIGHT_TOOL_UNIT_LOOPTRANSFORMATIONS_H
#define SENDWRIGHT_TOOL_UNIT_LOOPTRANSFORMATIONS_H

#include "tool/rewrite/LoopTransformation.h"

#include <string_view>
#include <vector>

namespace sendwright {

const std::vector<const LoopTransformation *> &loopTransformations();

/// The transformation with that stem, or null.
const LoopTransformation *loopTransformation(std::string_view stem);

} // namespace sendwright

#endif
