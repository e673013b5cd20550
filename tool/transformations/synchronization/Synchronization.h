// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronisation between super epochs, made visible: the calls of MPI before which the plan has
// ranks wait for others, or tell them something.
//
// In any case, the runtime does what is due when such a call reaches MPI, even in code that the
// plugin never saw (runtime/synchronization/). The text written here shows where that is, and does
// it there.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_SYNCHRONIZATION_SYNCHRONIZATION_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_SYNCHRONIZATION_SYNCHRONIZATION_H

#include "tool/rewrite/Rewrite.h"

namespace sendwright {

/// Whether the plan synchronises runs of some number of ranks.
bool synchronizes(const Plan &plan);

/// Writes the call of the runtime in front of the calls that the plan names, with a remark that
/// says how often it will act. Every function whose planned call is no longer there also gets a
/// remark.
void synchronizeCalls(Rewrite &rewrite, const Plan &plan);

} // namespace sendwright

#endif
