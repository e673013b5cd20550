// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan asks of all ranks together, where none may begin alone: messages that are shared, and
// collectives.

#ifndef SENDWRIGHT_RUNTIME_START_JOINTPLANS_H
#define SENDWRIGHT_RUNTIME_START_JOINTPLANS_H

namespace sendwright {

/// After PMPI_Init: begins what all ranks can do, and says why where they cannot. Collective.
/// `threadLevel` is what MPI provides.
void startJointPlans(int threadLevel);

} // namespace sendwright

#endif
