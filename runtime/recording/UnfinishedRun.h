// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that ends without MPI_Finalize leaves no profile. One line says so, where that is still
// possible: when the process exits, or gets a signal that ends it.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_UNFINISHEDRUN_H
#define SENDWRIGHT_RUNTIME_RECORDING_UNFINISHEDRUN_H

namespace sendwright {

/// This rank of MPI_COMM_WORLD records a profile: watches for the end of the process from now on.
void watchForEnd(int rank);
/// The program has reached MPI_Finalize.
void endWatchForEnd();

} // namespace sendwright

#endif
