// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transformations that the tool knows (Transformations.def).

#ifndef SENDWRIGHT_TOOL_UNIT_TRANSFORMATIONS_H
#define SENDWRIGHT_TOOL_UNIT_TRANSFORMATIONS_H

#include "tool/rewrite/LoopTransformation.h"
#include "tool/rewrite/UnitTransformation.h"

#include <memory>
#include <string_view>
#include <vector>

namespace sendwright {

/// The transformations that put a scope around a send loop.
const std::vector<const LoopTransformation *> &loopTransformations();

/// The loop transformation with that stem, or null.
const LoopTransformation *loopTransformation(std::string_view stem);

/// New objects of the transformations that find their own places, for one unit.
std::vector<std::unique_ptr<UnitTransformation>> makeUnitTransformations();

} // namespace sendwright

#endif
