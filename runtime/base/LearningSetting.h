// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What SENDWRIGHT_ADAPT says: whether a run is to learn its exchanges. It must be known before
// anything is recorded, because such a run records no profile.

#ifndef SENDWRIGHT_RUNTIME_BASE_LEARNINGSETTING_H
#define SENDWRIGHT_RUNTIME_BASE_LEARNINGSETTING_H

#include <mpi.h>

namespace sendwright {

/// The value of SENDWRIGHT_ADAPT at this rank, or null where it is not set, empty or 0.
const char *learningSetting();

/// Whether it is set at all ranks, which rank 0 says where it is not. Collective; called once,
/// before anything is recorded.
bool findWhetherToLearn(MPI_Comm communicator);
/// What it found; false before.
bool isToLearn();

} // namespace sendwright

#endif
