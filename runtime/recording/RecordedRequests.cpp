// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/RecordedRequests.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sendwright {

int RecordedRequests::takeNumber() {
  while (firstFree < freeBits.size() && freeBits[firstFree] == 0)
    ++firstFree;
  if (firstFree == freeBits.size()) {
    entries.resize(entries.size() + 64);
    freeBits.push_back(~std::uint64_t(0));
  }
  std::uint64_t &word = freeBits[firstFree];
  const int bit = std::countr_zero(word);
  word &= word - 1;
  return int(firstFree) * 64 + bit;
}

void RecordedRequests::freeNumber(int number) {
  const std::size_t word = std::size_t(number) / 64;
  freeBits[word] |= std::uint64_t(1) << (number % 64);
  firstFree = std::min(firstFree, word);
}

/// The handle's slot, or the free slot that it would take.
std::size_t RecordedRequests::slotOf(MPI_Request handle) const {
  // Handles are addresses or small numbers: multiplication spreads both.
  const std::uint64_t hash = std::uint64_t((std::uintptr_t)handle) * 0x9e3779b97f4a7c15u;
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = (hash >> 32) & mask;
  while (slots[slot].oldest >= 0 && slots[slot].handle != handle)
    slot = (slot + 1) & mask;
  return slot;
}

void RecordedRequests::grow() {
  std::vector<Slot> old(std::max<std::size_t>(16, slots.size() * 2));
  old.swap(slots);
  for (const Slot &slot : old)
    if (slot.oldest >= 0)
      slots[slotOf(slot.handle)] = slot;
}

/// Frees a slot and moves back entries that it had displaced.
void RecordedRequests::removeSlot(std::size_t hole) {
  slots[hole] = Slot();
  --used;
  const std::size_t mask = slots.size() - 1;
  for (std::size_t slot = (hole + 1) & mask; slots[slot].oldest >= 0; slot = (slot + 1) & mask) {
    const Slot displaced = slots[slot];
    slots[slot] = Slot();
    slots[slotOf(displaced.handle)] = displaced;
  }
}

int RecordedRequests::open(MPI_Request handle, bool wildcard, int communicator) {
  if (slots.size() < 2 * (used + 1))
    grow();
  const int number = takeNumber();
  entries[number] = {-1, wildcard, communicator, false};
  wildcards += wildcard;
  Slot &slot = slots[slotOf(handle)];
  if (slot.oldest < 0) {
    slot = {handle, number, number};
    ++used;
  } else {
    entries[slot.youngest].next = number;
    slot.youngest = number;
  }
  return number;
}

RecordedRequests::Pair RecordedRequests::openPair(MPI_Request handle, bool wildcard,
                                                  int communicator) {
  const int sent = open(handle, false, communicator);
  const int received = open(handle, wildcard, communicator);
  entries[sent].paired = true;
  return {sent, received};
}

RecordedRequest RecordedRequests::find(MPI_Request handle) const {
  if (handle == MPI_REQUEST_NULL)
    return {};
  if (!persistent.empty())
    if (auto found = persistent.find(handle); found != persistent.end())
      return {found->second.number, found->second.call.wildcard, found->second.call.communicator};
  if (used == 0)
    return {};
  const int number = slots[slotOf(handle)].oldest;
  if (number < 0)
    return {};
  const Entry &entry = entries[number];
  return {number, entry.wildcard, entry.communicator, entry.paired};
}

RecordedRequest RecordedRequests::close(MPI_Request handle) {
  const RecordedRequest request = find(handle);
  if (request.number < 0)
    return request;
  wildcards -= request.wildcard;
  freeNumber(request.number);
  if (!persistent.empty())
    if (auto found = persistent.find(handle); found != persistent.end()) {
      found->second.number = -1;
      return request;
    }
  const std::size_t slot = slotOf(handle);
  const int next = entries[request.number].next;
  if (next >= 0)
    slots[slot].oldest = next;
  else
    removeSlot(slot);
  return request;
}

const PersistentCall *RecordedRequests::start(MPI_Request before, MPI_Request handle, int &number) {
  if (before != handle)
    if (auto node = persistent.extract(before)) {
      persistent.erase(handle); // one that was freed without being seen here
      node.key() = handle;
      persistent.insert(std::move(node));
    }
  auto found = persistent.find(handle);
  if (found == persistent.end())
    return nullptr;
  if (found->second.number < 0) {
    found->second.number = takeNumber();
    wildcards += found->second.call.wildcard;
  }
  number = found->second.number;
  return &found->second.call;
}

std::size_t RecordedRequests::memory() const {
  return entries.capacity() * sizeof(Entry) + slots.capacity() * sizeof(Slot) +
         persistent.size() * (sizeof(Persistent) + 4 * sizeof(void *));
}

} // namespace sendwright
