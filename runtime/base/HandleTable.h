// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of handles of MPI: requests, messages, communicators. They are looked up in nearly
// every call that has one, and come and go with every message.
//
// Open addressing with linear probing. Deletion moves later entries back, so that a long run leaves
// no graves. All operations take constant time on average.

#ifndef SENDWRIGHT_RUNTIME_BASE_HANDLETABLE_H
#define SENDWRIGHT_RUNTIME_BASE_HANDLETABLE_H

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace sendwright {

// The kinds of handles. In some MPIs several are the same type.
struct RequestHandle {
  using Type = MPI_Request;
  static Type null() { return MPI_REQUEST_NULL; }
};
struct MessageHandle {
  using Type = MPI_Message;
  static Type null() { return MPI_MESSAGE_NULL; }
};
struct CommunicatorHandle {
  using Type = MPI_Comm;
  static Type null() { return MPI_COMM_NULL; }
};

/// The value of a table that is only a set of handles.
struct NoValue {};

/// Handles of one kind, each with a value, which moves when others come and go. The null handle is
/// never in the table, and is never inserted. Not thread-safe.
template <typename Kind, typename Value = NoValue> class HandleTable {
public:
  using Handle = typename Kind::Type;

  bool empty() const noexcept { return used == 0; }
  /// In bytes.
  std::size_t memory() const noexcept { return slots.capacity() * sizeof(Slot); }

  /// The value of the handle, or null where it is not in the table. Lasts until the next insertion
  /// or deletion.
  Value *find(Handle handle) noexcept {
    const std::size_t slot = slotOf(handle);
    return slot == none ? nullptr : &slots[slot].value;
  }
  const Value *find(Handle handle) const noexcept {
    const std::size_t slot = slotOf(handle);
    return slot == none ? nullptr : &slots[slot].value;
  }
  bool contains(Handle handle) const noexcept { return slotOf(handle) != none; }

  /// Makes room for one more insertion. Throws std::bad_alloc.
  void reserveOne() {
    if ((used + 1) * 2 <= slots.size())
      return;
    std::vector<Slot> larger(slots.empty() ? 64 : slots.size() * 2);
    slots.swap(larger);
    for (Slot &slot : larger)
      if (slot.handle != Kind::null())
        slots[place(slot.handle)] = std::move(slot);
  }
  /// Adds a handle that is not in the table; room was reserved.
  void insertReserved(Handle handle, Value value = {}) noexcept {
    slots[place(handle)] = {handle, std::move(value)};
    ++used;
  }
  /// The value of the handle, which is added where it is not in the table. Throws std::bad_alloc.
  Value &operator[](Handle handle) {
    if (Value *known = find(handle))
      return *known;
    reserveOne();
    const std::size_t slot = place(handle);
    slots[slot].handle = handle;
    ++used;
    return slots[slot].value;
  }

  /// Takes the handle out; false where it was not there.
  bool erase(Handle handle) noexcept { return take(handle).has_value(); }
  /// The same, and returns its value.
  std::optional<Value> take(Handle handle) noexcept {
    std::size_t gap = slotOf(handle);
    if (gap == none)
      return std::nullopt;
    std::optional<Value> taken(std::move(slots[gap].value));
    const std::size_t mask = slots.size() - 1;
    for (std::size_t next = (gap + 1) & mask; slots[next].handle != Kind::null();
         next = (next + 1) & mask) {
      // An entry may fill the gap unless its home lies between the gap and its place.
      if (((next - home(slots[next].handle)) & mask) >= ((next - gap) & mask)) {
        slots[gap] = std::move(slots[next]);
        gap = next;
      }
    }
    slots[gap] = {};
    --used;
    return taken;
  }

  /// Calls visit(handle, value) for each, in no particular order. The table must not change.
  template <typename Visit> void forEach(Visit visit) const {
    for (const Slot &slot : slots)
      if (slot.handle != Kind::null())
        visit(slot.handle, slot.value);
  }

private:
  struct Slot {
    Handle handle = Kind::null(); ///< null: the slot is free
    [[no_unique_address]] Value value{};
  };
  static constexpr std::size_t none = SIZE_MAX;

  std::size_t home(Handle handle) const noexcept {
    static_assert(sizeof(Handle) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0; // a handle is an integer or a pointer, depending on the MPI
    std::memcpy(&bits, static_cast<const void *>(&handle), sizeof(Handle));
    bits *= 0x9E3779B97F4A7C15u; // Fibonacci hashing; the upper half is the well mixed one
    return (bits >> 32) & (slots.size() - 1);
  }
  /// The slot of the handle, or the free one that it would take. There is always a free one.
  std::size_t place(Handle handle) const noexcept {
    std::size_t slot = home(handle);
    while (slots[slot].handle != handle && slots[slot].handle != Kind::null())
      slot = (slot + 1) & (slots.size() - 1);
    return slot;
  }
  std::size_t slotOf(Handle handle) const noexcept {
    if (used == 0 || handle == Kind::null())
      return none;
    const std::size_t slot = place(handle);
    return slots[slot].handle == handle ? slot : none;
  }

  std::vector<Slot> slots; ///< a power of two of them, at least half of them free
  std::size_t used = 0;
};

} // namespace sendwright

#endif
