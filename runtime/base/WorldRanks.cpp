// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <numeric>

namespace sendwright {

namespace {

std::vector<int> worldRanksOfFreed(MPI_Group group) {
  std::vector<int> ranks = worldRanksOf(group);
  if (group != MPI_GROUP_EMPTY)
    PMPI_Group_free(&group);
  return ranks;
}

} // namespace

std::vector<int> worldRanksOf(MPI_Group group) {
  MPI_Group world = MPI_GROUP_NULL;
  int size = 0;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(size), translated(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  if (size > 0)
    PMPI_Group_translate_ranks(group, size, ranks.data(), world, translated.data());
  PMPI_Group_free(&world);
  std::ranges::replace(translated, int(MPI_UNDEFINED), -1);
  return translated;
}

std::vector<int> localWorldRanksOf(MPI_Comm communicator) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(communicator, &group);
  return worldRanksOfFreed(group);
}

std::vector<int> remoteWorldRanksOf(MPI_Comm intercommunicator) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_remote_group(intercommunicator, &group);
  return worldRanksOfFreed(group);
}

std::vector<int> worldRanksOfWindow(MPI_Win window) {
  MPI_Group group = MPI_GROUP_NULL;
  const bool known = window != MPI_WIN_NULL && PMPI_Win_get_group(window, &group) == MPI_SUCCESS;
  return known ? worldRanksOfFreed(group) : std::vector<int>{};
}

std::vector<int> worldRanksOfFile(MPI_File file) {
  MPI_Group group = MPI_GROUP_NULL;
  const bool known = file != MPI_FILE_NULL && PMPI_File_get_group(file, &group) == MPI_SUCCESS;
  return known ? worldRanksOfFreed(group) : std::vector<int>{};
}

std::vector<int> leadersOf(MPI_Comm peer, int remoteLeader) {
  int isIntercommunicator = 0, own = 0;
  PMPI_Comm_test_inter(peer, &isIntercommunicator);
  PMPI_Comm_rank(MPI_COMM_WORLD, &own);
  const std::vector<int> ranks =
      isIntercommunicator ? remoteWorldRanksOf(peer) : localWorldRanksOf(peer);
  const bool isThere = remoteLeader >= 0 && remoteLeader < int(ranks.size());
  std::vector<int> leaders{own, isThere ? ranks[remoteLeader] : -1};
  std::ranges::sort(leaders);
  return leaders;
}

bool isIdentity(const std::vector<int> &worldRanks) {
  for (std::size_t rank = 0; rank < worldRanks.size(); ++rank)
    if (worldRanks[rank] != int(rank))
      return false;
  return true;
}

} // namespace sendwright
