// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// World ranks of a communicator's members, looked up once per communicator. Handles are forgotten
// when the program frees them, because MPI implementations reuse them at once.

#ifndef SENDWRIGHT_RUNTIME_BASE_COMMUNICATORS_H
#define SENDWRIGHT_RUNTIME_BASE_COMMUNICATORS_H

#include <mpi.h>

#include <vector>

namespace sendwright {

struct CommunicatorInfo {
  std::vector<int> worldRanks; ///< indexed by rank in the communicator (for an intercommunicator:
                               ///< in the remote group, to which messages go); empty: rank r is
                               ///< world rank r
  bool intercommunicator = false;
  bool defaultErrorHandler = true; ///< it was MPI_ERRORS_ARE_FATAL when first seen
  int size = 0;
  unsigned number = 0; ///< a serial number, never reused, for caches
  /// World rank of `rank`. MPI_PROC_NULL and MPI_ANY_SOURCE stay unchanged; -1 if unknown (a
  /// process of another job).
  int worldRank(int rank) const;
};

/// What is known about `communicator`, which is looked up with PMPI when it is first seen. Valid
/// until forgetCommunicator(). Thread-safe. Constant time except for the first call.
const CommunicatorInfo &communicatorInfo(MPI_Comm communicator);

/// The same, or null if `communicator` was not looked up since it was created or its error handler
/// was set. The handle need not be valid.
const CommunicatorInfo *knownCommunicator(MPI_Comm communicator);

/// Called by the wrappers of MPI_Comm_free and MPI_Comm_disconnect before the call, and by the
/// wrapper of MPI_Comm_set_errhandler, so that the error handler is looked up again.
void forgetCommunicator(MPI_Comm communicator);

} // namespace sendwright

#endif
