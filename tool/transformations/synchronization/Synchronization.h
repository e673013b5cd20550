// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronisation between super epochs, made visible: the calls of MPI before which the plan has
// ranks wait for others, or tell them something.
//
// The runtime does what is due when such a call reaches MPI in any case, also in code that the
// plugin never saw (runtime/synchronization/): what is written here says where, and does it there.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_SYNCHRONIZATION_SYNCHRONIZATION_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_SYNCHRONIZATION_SYNCHRONIZATION_H

#include "tool/rewrite/Rewrite.h"

namespace sendwright {

/// Whether the plan synchronises runs of some number of ranks.
bool synchronizes(const Plan &plan);

/// Writes the call of the runtime in front of the calls that the plan names, with a remark of how
/// often it will act; every function whose planned call is no longer there gets one, too.
void synchronizeCalls(Rewrite &rewrite, const Plan &plan);

} // namespace sendwright

#endif
