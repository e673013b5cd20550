// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The send loops of a unit, and what the plan wants of each (LoopTransformation.h).

#ifndef SENDWRIGHT_TOOL_UNIT_LOOPSCOPES_H
#define SENDWRIGHT_TOOL_UNIT_LOOPSCOPES_H

#include "tool/rewrite/Rewrite.h"

namespace sendwright {

/// Puts scopes around the loops that the plan wants rewritten and that may be deferred. Every loop
/// of the plan gets a remark: its gain, or why it stays. So does every loop that sends but did not
/// send in any profile, and every function whose planned loop is no longer there.
void rewriteSendLoops(Rewrite &rewrite, const Plan &plan);

} // namespace sendwright

#endif
