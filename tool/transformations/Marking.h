// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marking: scopes around every loop that may reach MPI, so that a run attributes sends to loops.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_MARKING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_MARKING_H

#include "tool/transformations/Rewrite.h"

namespace sendwright {

/// Marks the loops of a unit. A loop that cannot be marked gets a remark.
void markLoops(Rewrite &rewrite);

} // namespace sendwright

#endif
