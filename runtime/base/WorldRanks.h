// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that the members of a group have in MPI_COMM_WORLD.

#ifndef SENDWRIGHT_RUNTIME_BASE_WORLDRANKS_H
#define SENDWRIGHT_RUNTIME_BASE_WORLDRANKS_H

#include <mpi.h>

#include <vector>

namespace sendwright {

/// World ranks by rank in the group; -1 for a process of another job. The group stays the caller's.
/// Thread-safe. Linear in the group, and what MPI needs.
std::vector<int> worldRanksOf(MPI_Group group);

/// The same for the communicator's own group; and for the group to which messages on an
/// intercommunicator go.
std::vector<int> localWorldRanksOf(MPI_Comm communicator);
std::vector<int> remoteWorldRanksOf(MPI_Comm intercommunicator);

/// The same for the group of a window or a file; empty for MPI_WIN_NULL, MPI_FILE_NULL, and
/// anything that MPI refuses.
std::vector<int> worldRanksOfWindow(MPI_Win window);
std::vector<int> worldRanksOfFile(MPI_File file);

/// The two leaders that meet in MPI_Intercomm_create, in ascending order of world ranks: this rank,
/// and `remoteLeader` of `peer` (-1 if it belongs to another job or does not exist).
std::vector<int> leadersOf(MPI_Comm peer, int remoteLeader);

/// True if each rank r is world rank r.
bool isIdentity(const std::vector<int> &worldRanks);

} // namespace sendwright

#endif
