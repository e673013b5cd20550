// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of what the runtime does when MPI begins and ends. Called by the wrappers of MPI_Init,
// MPI_Init_thread and MPI_Finalize (C and Fortran).

#ifndef SENDWRIGHT_RUNTIME_START_LIFECYCLE_H
#define SENDWRIGHT_RUNTIME_START_LIFECYCLE_H

namespace sendwright {

/// Follows PMPI_Init; happens once.
void beginLifecycle(bool byFortran = false);
/// Precedes PMPI_Finalize; happens once.
void endLifecycle();

} // namespace sendwright

#endif
