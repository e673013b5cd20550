// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering: a send loop whose messages leave in the order of the plan. The batch around the
// loop (LoopTransformation.h) holds its sends back and issues them in planned order at the end;
// this file gives the text about it.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_ORDERING_MESSAGEORDERING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_ORDERING_MESSAGEORDERING_H

#include "tool/rewrite/LoopTransformation.h"

namespace sendwright {

extern const LoopTransformation messageOrdering;

} // namespace sendwright

#endif
