// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that ends without MPI_Finalize leaves no profile. One line says so, where that is still
// possible: when it exits, or gets a signal that ends it.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_UNFINISHEDRUN_H
#define SENDWRIGHT_RUNTIME_RECORDING_UNFINISHEDRUN_H

namespace sendwright {

/// A profile is being recorded by this rank of MPI_COMM_WORLD: from here on its end is watched.
void watchForEnd(int rank);
/// The program has come to MPI_Finalize.
void endWatchForEnd();

} // namespace sendwright

#endif
