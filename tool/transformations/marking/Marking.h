// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marking: scopes around every loop that may reach MPI, so that a run attributes sends to loops;
// and a mark in front of every MPI call before which ranks may have to synchronise.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_MARKING_MARKING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_MARKING_MARKING_H

#include "tool/rewrite/Rewrite.h"

namespace sendwright {

/// Marks the loops of a unit, and keeps what the planner is told about each. A loop that cannot be
/// marked gets a remark.
void markLoops(Rewrite &rewrite);

/// Marks the MPI calls of a unit. A mark applies to the next call, so a call whose arguments may
/// call MPI is left out. Calls in macros are marked only if some transformation wants the mark
/// (Rewrite::wantedMarks).
void markCalls(Rewrite &rewrite);

/// Marks the calls of functions that may wrap MPI, so that a run knows where they are called. Left
/// out is a call whose arguments may call MPI: they could call the same function.
void markCallsOfWrappers(Rewrite &rewrite);

} // namespace sendwright

#endif
