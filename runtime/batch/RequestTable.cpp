// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/RequestTable.h"

#include <cstdint>
#include <cstring>

namespace sendwright {

std::size_t RequestTable::home(MPI_Request request) const noexcept {
  static_assert(sizeof(MPI_Request) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0; // a handle is an integer or a pointer, depending on the MPI
  std::memcpy(&bits, static_cast<const void *>(&request), sizeof(MPI_Request));
  bits *= 0x9E3779B97F4A7C15u; // Fibonacci hashing; the upper half is the well mixed one
  return (bits >> 32) & (slots.size() - 1);
}

std::size_t RequestTable::find(MPI_Request request) const noexcept {
  std::size_t slot = home(request);
  while (slots[slot] != request && slots[slot] != MPI_REQUEST_NULL)
    slot = (slot + 1) & (slots.size() - 1);
  return slot;
}

void RequestTable::reserveOne() {
  if ((used + 1) * 2 <= slots.size())
    return;
  std::vector<MPI_Request> larger(slots.empty() ? 64 : slots.size() * 2, MPI_REQUEST_NULL);
  slots.swap(larger);
  for (MPI_Request request : larger)
    if (request != MPI_REQUEST_NULL)
      slots[find(request)] = request;
}

void RequestTable::insert(MPI_Request request) noexcept {
  slots[find(request)] = request;
  ++used;
}

bool RequestTable::contains(MPI_Request request) const noexcept {
  return used != 0 && request != MPI_REQUEST_NULL && slots[find(request)] == request;
}

bool RequestTable::erase(MPI_Request request) noexcept {
  if (!contains(request))
    return false;
  const std::size_t mask = slots.size() - 1;
  std::size_t gap = find(request);
  for (std::size_t next = (gap + 1) & mask; slots[next] != MPI_REQUEST_NULL;
       next = (next + 1) & mask) {
    // An entry may fill the gap unless its home lies between the gap and where it is.
    if (((next - home(slots[next])) & mask) >= ((next - gap) & mask)) {
      slots[gap] = slots[next];
      gap = next;
    }
  }
  slots[gap] = MPI_REQUEST_NULL;
  --used;
  return true;
}

} // namespace sendwright
