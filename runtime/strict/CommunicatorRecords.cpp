// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/CommunicatorRecords.h"

#include "runtime/base/Communicators.h"

#include <algorithm>

namespace sendwright::strict {

namespace {

constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 31)) * odd;
  return value ^ (value >> 29);
}

std::uint64_t hashOf(const std::vector<int> &ranks) {
  std::uint64_t hash = odd;
  for (const int rank : ranks)
    hash = mix(hash + std::uint64_t(rank) + 1);
  return hash;
}

CommunicatorRecords::Record recordOf(MPI_Comm communicator) {
  auto record = std::make_shared<CommunicatorRecord>();
  const CommunicatorInfo &info = communicatorInfo(communicator);
  record->intercommunicator = info.intercommunicator;
  record->world = communicator == MPI_COMM_WORLD;
  record->members = info.members();
  record->peers = info.peers();
  if (info.intercommunicator)
    record->members.insert(record->members.end(), record->peers.begin(), record->peers.end());
  return record;
}

/// Both sides of an intercommunicator get the same hash.
std::uint64_t hashOfMembers(const CommunicatorRecord &record) {
  if (!record.intercommunicator)
    return hashOf(record.members);
  const auto local = static_cast<std::ptrdiff_t>(record.members.size()) -
                     static_cast<std::ptrdiff_t>(record.peers.size());
  const std::vector<int> own(record.members.begin(), record.members.begin() + local);
  return hashOf(own) + hashOf(record.peers) + 1;
}

} // namespace

CommunicatorRecords::CommunicatorRecords() {
  note(MPI_COMM_WORLD);
  note(MPI_COMM_SELF);
}

CommunicatorRecords::Record CommunicatorRecords::of(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL)
    return recordOf(communicator);
  Record &record = known[communicator];
  if (!record)
    record = recordOf(communicator);
  return record;
}

void CommunicatorRecords::note(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL || known.contains(communicator))
    return;
  CommunicatorRecord &record = *of(communicator);
  if (std::ranges::count(record.members, -1) > 0)
    return; // processes of another job number world ranks differently
  const std::uint64_t members = hashOfMembers(record);
  const std::uint64_t instance = ++created[std::int64_t(members)];
  // Small numbers stand for what is not a communicator.
  record.id = std::int64_t(mix(members + instance * odd) | (std::uint64_t(1) << 32));
  begun.emplace(record.id, 0);
}

void CommunicatorRecords::drop(MPI_Comm communicator) {
  forgetCommunicator(communicator); // it may have been looked up since the wrapper forgot it
  const std::optional<Record> dropped = known.take(communicator);
  if (!dropped)
    return;
  (*dropped)->alive = false;
  begun.erase((*dropped)->id);
}

} // namespace sendwright::strict
