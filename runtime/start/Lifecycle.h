// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that the runtime does when MPI begins and ends. Called by the wrappers of MPI_Init,
// MPI_Init_thread and MPI_Finalize (C and Fortran).

#ifndef SENDWRIGHT_RUNTIME_START_LIFECYCLE_H
#define SENDWRIGHT_RUNTIME_START_LIFECYCLE_H

namespace sendwright {

/// Runs after PMPI_Init; takes effect once.
void beginLifecycle(bool byFortran = false);
/// Runs before PMPI_Finalize; takes effect once.
void endLifecycle();

} // namespace sendwright

#endif
