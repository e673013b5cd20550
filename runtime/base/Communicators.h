// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one record of what MPI says about a communicator, looked up once: its members' world ranks.
// Handles are forgotten when the program frees them, because MPI implementations reuse them at
// once. What all members call a communicator is for the layers to say (RecordedCommunicators.h for
// the profile, strict/CommunicatorRecords.h for reports of deadlocks).

#ifndef SENDWRIGHT_RUNTIME_BASE_COMMUNICATORS_H
#define SENDWRIGHT_RUNTIME_BASE_COMMUNICATORS_H

#include <mpi.h>

#include <vector>

namespace sendwright {

struct CommunicatorInfo {
  std::vector<int> worldRanks; ///< by rank in the communicator (of an intercommunicator: the remote
                               ///< group, whose ranks messages go to); empty: it is
                               ///< COMM_WORLD-like, rank r is world rank r
  std::vector<int> ownSide;    ///< of an intercommunicator: the same of the local group
  bool intercommunicator = false;
  bool defaultErrorHandler = true; ///< it was MPI_ERRORS_ARE_FATAL when first seen
  int size = 0;
  unsigned number = 0; ///< a serial number, never reused, for caches
  /// World rank of `rank`. MPI_PROC_NULL and MPI_ANY_SOURCE stay unchanged; -1 if unknown (a
  /// process of another job).
  int worldRank(int rank) const;
  /// World ranks of the ranks to which messages go, and of this side; -1 if unknown.
  std::vector<int> peers() const;
  std::vector<int> members() const { return intercommunicator ? ownSide : peers(); }
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

/// Not null: forgetCommunicator() calls this first, by the thread that made the program's call.
extern void (*beforeForgetting)(MPI_Comm communicator);

} // namespace sendwright

#endif
