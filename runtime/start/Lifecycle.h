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
/// Runs before PMPI_Session_finalize (MPI 4.0). If MPI_Init was never called, there is no world of
/// which all layers know the ranks, so nothing was recorded or planned: one line says so.
void sessionEnds();

} // namespace sendwright

#endif
