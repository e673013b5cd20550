// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a plan that need all ranks, because none may begin alone: shared messages, and
// collectives.

#ifndef SENDWRIGHT_RUNTIME_START_JOINTPLANS_H
#define SENDWRIGHT_RUNTIME_START_JOINTPLANS_H

namespace sendwright {

/// After PMPI_Init: begins what all ranks can do, and prints a reason for what they cannot.
/// Collective. `threadLevel` is the level that MPI provides.
void startJointPlans(int threadLevel);

} // namespace sendwright

#endif
