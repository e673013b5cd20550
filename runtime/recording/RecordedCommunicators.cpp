// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/RecordedCommunicators.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace sendwright {

namespace {

/// World ranks of a group, which is freed; -1 for processes of another job.
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
  if (group != MPI_GROUP_EMPTY)
    PMPI_Group_free(&group);
  std::replace(translated.begin(), translated.end(), int(MPI_UNDEFINED), -1);
  return translated;
}

bool isIdentity(const std::vector<int> &ranks) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank] != int(rank))
      return false;
  return true;
}

} // namespace

RecordedCommunicators::RecordedCommunicators() {
  note(MPI_COMM_WORLD);
  note(MPI_COMM_SELF);
  index(MPI_COMM_WORLD);
}

void RecordedCommunicators::note(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL || living.contains(handle))
    return;
  Living entry;
  MPI_Group group = MPI_GROUP_NULL;
  int inter = 0;
  PMPI_Comm_test_inter(handle, &inter);
  PMPI_Comm_group(handle, &group);
  entry.communicator.members = worldRanksOf(group);
  entry.communicator.intercommunicator = inter != 0;
  if (inter) {
    PMPI_Comm_remote_group(handle, &group);
    entry.remote = worldRanksOf(group);
  }
  std::set<unsigned> taken;
  for (const auto &[other, known] : living)
    if (known.communicator.members == entry.communicator.members &&
        known.communicator.intercommunicator == entry.communicator.intercommunicator)
      taken.insert(known.communicator.instance);
  while (taken.contains(entry.communicator.instance))
    ++entry.communicator.instance;
  living.emplace(handle, std::move(entry));
}

void RecordedCommunicators::drop(MPI_Comm handle) {
  living.erase(handle);
  if (lastHandle == handle)
    lastHandle = MPI_COMM_NULL;
}

int RecordedCommunicators::lookUp(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL)
    return 0; // only a call that failed has none
  note(handle);
  Living &entry = living.at(handle);
  if (entry.index < 0) {
    const Communicator &communicator = entry.communicator;
    const auto [place, isNew] = indexOf.try_emplace(
        Key(communicator.members, communicator.intercommunicator, communicator.instance),
        int(table.size()));
    const std::vector<int> &ranks =
        communicator.intercommunicator ? entry.remote : communicator.members;
    if (isNew) {
      table.push_back(communicator);
      peers.emplace_back();
    }
    // An intercommunicator's remote group may differ from that of the one which had this index.
    peers[place->second] = isIdentity(ranks) ? std::vector<int>() : ranks;
    entry.index = place->second;
  }
  lastHandle = handle;
  lastIndex = entry.index;
  return lastIndex;
}

int RecordedCommunicators::peer(int index, int rank) const {
  if (rank == MPI_ANY_SOURCE)
    return anySource;
  if (rank < 0)
    return nullRank;
  const std::vector<int> &ranks = peers[index];
  if (ranks.empty())
    return rank;
  const int peer = rank < int(ranks.size()) ? ranks[rank] : -1;
  return peer < 0 ? nullRank : peer;
}

} // namespace sendwright
