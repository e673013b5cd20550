// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI tells about ranks: this process's own rank, the number of ranks, and the ranks in
// MPI_COMM_WORLD of a group's members.

#ifndef SENDWRIGHT_RUNTIME_BASE_WORLDRANKS_H
#define SENDWRIGHT_RUNTIME_BASE_WORLDRANKS_H

#include <mpi.h>

#include <vector>

namespace sendwright {

/// The rank of this process in a communicator, and the number of ranks there.
inline int rankIn(MPI_Comm communicator) {
  int rank = 0;
  PMPI_Comm_rank(communicator, &rank);
  return rank;
}
inline int ranksIn(MPI_Comm communicator) {
  int ranks = 0;
  PMPI_Comm_size(communicator, &ranks);
  return ranks;
}

/// The largest tag that a message may have.
inline int tagUpperBound() {
  int *value = nullptr, found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void *>(&value), &found);
  return found ? *value : 32767; // the minimum that every MPI guarantees
}

/// World ranks, indexed by rank in the group; -1 for a process of another job. The caller keeps the
/// group. Thread-safe. Linear in the group, plus MPI's own cost.
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
