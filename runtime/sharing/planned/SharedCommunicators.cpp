// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/SharedCommunicators.h"

#include "runtime/base/Communicators.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>

namespace sendwright::exchange {

void SharedCommunicators::begin(MPI_Comm ofThisProcess, PrivateCommunicator &ofLink,
                                ReceiptNotices &toSenders) {
  self = ofThisProcess;
  link = &ofLink;
  notices = &toSenders;
}

SharedCommunicator &SharedCommunicators::add(MPI_Comm handle, const Communicator &identity,
                                             std::uint32_t index) {
  SharedCommunicator &made =
      communicators.try_emplace(index, identity, index, everyPair).first->second;
  made.self = self;
  made.world = link->handle();
  made.notices = notices;
  made.handle = handle;
  return made;
}

SharedCommunicator &SharedCommunicators::planned(const Communicator &identity) {
  const auto found =
      std::find_if(communicators.begin(), communicators.end(),
                   [&](const auto &entry) { return entry.second.identity == identity; });
  return found != communicators.end()
             ? found->second
             : add(MPI_COMM_NULL, identity, static_cast<std::uint32_t>(communicators.size()));
}

const Communicator *SharedCommunicators::identityOf(std::uint32_t index) const {
  const auto found = communicators.find(index);
  return found == communicators.end() ? nullptr : &found->second.identity;
}

const std::vector<int> &SharedCommunicators::membersOf(MPI_Comm handle) {
  return recorded.communicators()[static_cast<std::size_t>(recorded.index(handle))].members;
}

void SharedCommunicators::know(MPI_Comm handle, SharedCommunicator *communicator) {
  known[handle] = communicator;
  lastHandle = MPI_COMM_NULL;
}

void SharedCommunicators::bind(MPI_Comm handle) {
  const Communicator &identity =
      recorded.communicators()[static_cast<std::size_t>(recorded.index(handle))];
  SharedCommunicator *found = nullptr;
  for (auto &[index, communicator] : communicators)
    if (communicator.identity == identity)
      found = &communicator;
  if (found)
    found->handle = handle;
  know(handle, found);
}

/// A member's own count of the communicators that it numbered makes the number unique in the job.
/// The world comes first, so its number is 0, and nobody has to tell.
void SharedCommunicators::number(MPI_Comm handle) {
  know(handle, nullptr);
  forgetCommunicator(handle); // it may have been freed unseen, and is another one now
  const CommunicatorInfo &info = communicatorInfo(handle);
  if (info.intercommunicator || info.size < 2)
    return;
  Communicator identity;
  identity.members = info.members();
  if (std::ranges::find(identity.members.vector(), -1) != identity.members.vector().end())
    return; // members of other jobs do not take part
  unsigned long long index = 0;
  if (rankIn(handle) == 0)
    index = static_cast<unsigned long long>(numbered++) *
                static_cast<unsigned>(ranksIn(MPI_COMM_WORLD)) +
            static_cast<unsigned>(rankIn(MPI_COMM_WORLD));
  if (handle != MPI_COMM_WORLD &&
      (!link->spread(identity.members.vector(), index) || index >= hasLeftPair))
    return;
  identity.instance = static_cast<unsigned>(index);
  SharedCommunicator &made = add(handle, identity, static_cast<std::uint32_t>(index));
  know(handle, &made);
  const auto waiting = early.find(static_cast<std::uint32_t>(index));
  if (waiting == early.end())
    return;
  for (const EarlyMessage &message : waiting->second)
    made.arrived(message.source, message.record, message.bytes);
  early.erase(waiting);
}

void SharedCommunicators::note(MPI_Comm handle) {
  if (everyPair)
    number(handle);
  else
    bind(handle);
}

/// With `everyPair`, MPI carries its messages: its members would have to agree on a number here.
void SharedCommunicators::noteDuplicate(MPI_Comm original, MPI_Comm copy) {
  if (everyPair)
    return know(copy, nullptr);
  recorded.noteDuplicate(original, copy);
  bind(copy);
}

SharedCommunicator *SharedCommunicators::drop(MPI_Comm handle) {
  SharedCommunicator *found = find(handle);
  if (found)
    found->handle = MPI_COMM_NULL;
  recorded.drop(handle);
  known.erase(handle);
  lastHandle = MPI_COMM_NULL;
  return found;
}

SharedCommunicator *SharedCommunicators::lookUp(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL)
    return nullptr;
  if (!known.contains(handle)) { // its creation was not seen
    if (everyPair)
      know(handle, nullptr);
    else
      bind(handle);
  }
  lastHandle = handle;
  lastFound = *known.find(handle);
  return lastFound;
}

void SharedCommunicators::arrived(int source, const Record &record, std::span<std::byte> bytes) {
  const std::uint32_t index = record.place & ~placeMarks;
  const auto found = communicators.find(index);
  if (found != communicators.end())
    found->second.arrived(source, record, bytes);
  else // its sender may be ahead where a communicator is created
    early[index].push_back({source, record, {bytes.begin(), bytes.end()}});
}

bool SharedCommunicators::probe() const {
  return std::any_of(communicators.begin(), communicators.end(),
                     [](const auto &entry) { return entry.second.probes(); });
}

bool SharedCommunicators::haveLeft() const {
  return std::any_of(communicators.begin(), communicators.end(),
                     [](const auto &entry) { return entry.second.hasLeft(); });
}

bool SharedCommunicators::areIdle() const {
  return early.empty() &&
         std::all_of(communicators.begin(), communicators.end(), [](const auto &entry) {
           return entry.second.idle() && entry.second.holdsNothing();
         });
}

} // namespace sendwright::exchange
