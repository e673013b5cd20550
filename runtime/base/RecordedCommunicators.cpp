// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/RecordedCommunicators.h"

#include "runtime/base/Communicators.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <climits>
#include <set>

namespace sendwright {

RecordedCommunicators::RecordedCommunicators() {
  note(MPI_COMM_WORLD);
  note(MPI_COMM_SELF);
  index(MPI_COMM_WORLD);
}

void RecordedCommunicators::note(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL || living.contains(handle))
    return;
  const CommunicatorInfo &info = communicatorInfo(handle);
  Living entry;
  entry.communicator.members = info.members();
  entry.communicator.intercommunicator = info.intercommunicator;
  if (info.intercommunicator)
    entry.remote = info.peers();
  add(handle, std::move(entry));
}

void RecordedCommunicators::noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  if (copy == MPI_COMM_NULL || original == MPI_COMM_NULL)
    return; // it is then noted at first use
  note(original);
  Living entry = *living.find(original);
  entry.index = -1;
  entry.communicator.instance = ((entry.communicator.instance + 1) << 16) & INT_MAX;
  living.erase(copy); // it was freed unseen
  add(copy, std::move(entry));
}

/// Gives it the smallest free instance number that is not below its own.
void RecordedCommunicators::add(MPI_Comm handle, Living entry) {
  std::set<unsigned> taken;
  living.forEach([&](MPI_Comm, const Living &known) {
    if (known.communicator.members == entry.communicator.members &&
        known.communicator.intercommunicator == entry.communicator.intercommunicator)
      taken.insert(known.communicator.instance);
  });
  while (taken.contains(entry.communicator.instance))
    ++entry.communicator.instance;
  living[handle] = std::move(entry);
}

void RecordedCommunicators::drop(MPI_Comm handle) {
  forgetCommunicator(handle); // it may have been looked up since the wrapper forgot it
  living.erase(handle);
  if (lastHandle == handle)
    lastHandle = MPI_COMM_NULL;
}

int RecordedCommunicators::lookUp(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL)
    return 0; // only a failed call leaves it without one
  note(handle);
  Living &entry = *living.find(handle);
  if (entry.index < 0) {
    const Communicator &communicator = entry.communicator;
    const auto [place, isNew] = indexOf.try_emplace(
        Key(communicator.members, communicator.intercommunicator, communicator.instance),
        int(table.size()));
    const std::vector<int> &ranks =
        communicator.intercommunicator ? entry.remote : communicator.members.vector();
    if (isNew) {
      table.push_back(communicator);
      peers.emplace_back();
    }
    // An intercommunicator's remote group may differ from that of the previous one with this index.
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
