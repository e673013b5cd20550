// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distinct events of this rank. A call is looked up in every recorded MPI call, so an event is
// kept as a flat row of 32-bit words: hashing and comparing are one pass, and a repeated call
// allocates nothing.

#ifndef SENDWRIGHT_RUNTIME_RECORDING_EVENTTABLE_H
#define SENDWRIGHT_RUNTIME_RECORDING_EVENTTABLE_H

#include "analysis/trace/Profile.h"
#include "analysis/trace/RelativeTags.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sendwright {

/// What one call is, in the terms of Event. The caller owns the lists.
struct EventContent {
  EventKind kind = EventKind::Call;
  MpiFunctionId function = MpiFunctionId::Send;
  int peer = noPeer, tag = 0;
  int communicator = 0;
  int site = noSite;
  int call = noSite;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  int receivePeer = noPeer, receiveTag = 0;
  std::uint64_t receiveBytes = 0;
  /// Of a loop that begins: events of different contexts are different events. (The profile has two
  /// that look alike.)
  std::uint32_t context = 0;
  std::span<const int> requests;
  std::span<const WildcardMatch> matches;
  std::span<const MovedMessage> moved;
};

/// Not thread-safe. May throw std::bad_alloc.
class EventTable {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The number of the event, from 0 in the order of first occurrence. Constant time on average. If
  /// `mayGrow` is false, a new event gets no number, and the table takes no more memory.
  ///
  /// Up to `distinctSizes` different sizes are kept exactly for the same function, peer, tag,
  /// communicator and site (with any relative tag); further sizes are rounded up to a power of two.
  /// So a program in which every message has another size does not make every message a separate
  /// event.
  std::uint32_t number(const EventContent &content, bool mayGrow);
  static constexpr std::size_t distinctSizes = 64;
  /// Up to `distinctTags` different tags are kept for the same function, peer, communicator and
  /// caller; further tags become relative (RelativeTags.h). So a program that numbers its messages
  /// does not make every message a separate event.
  static constexpr std::size_t distinctTags = 8;

  /// Counts one occurrence.
  void count(std::uint32_t number, double before, double inside);

  /// No call comes any more: gives back the memory that only new ones need.
  void finish();
  /// Gives `event` all fields of an event, whatever it held.
  void read(std::uint32_t number, Event &event) const;
  std::vector<EventStatistics> takeStatistics() { return std::move(measured); }
  std::size_t size() const { return hashes.size(); }
  /// Bytes of memory in use, and while lists grow that are nearly full. Constant time.
  std::size_t memory() const;

private:
  /// The values of a group of calls; null if there are none and none may be added.
  template <typename Value>
  std::vector<Value> *groupIn(std::unordered_map<std::uint64_t, std::vector<Value>> &groups,
                              std::uint64_t group, bool mayGrow) {
    const auto known = groups.find(group);
    if (known != groups.end())
      return &known->second;
    if (!mayGrow)
      return nullptr;
    sizesMemory += sizeof(*known) + 4 * sizeof(void *); // the node, its place, what malloc adds
    return &groups[group];
  }
  template <typename Value> void pushCounted(std::vector<Value> &list, Value value) {
    sizesMemory -= list.capacity() * sizeof value;
    list.push_back(value);
    sizesMemory += list.capacity() * sizeof value;
  }
  void encode(const EventContent &content);
  std::uint32_t lookUp(bool mayGrow);
  bool limitTags(bool mayGrow);
  bool limitSizes(bool mayGrow);
  std::uint64_t limitSize(std::vector<std::uint64_t> &sizes, std::uint64_t size, bool mayGrow);
  std::size_t slotOf(std::uint64_t hash) const;
  std::uint32_t insert(std::uint64_t hash);
  void grow();
  std::span<const std::uint32_t> wordsOf(std::uint32_t number) const;

  std::vector<std::uint32_t> sought; ///< the event being looked up
  std::vector<std::uint32_t> words;  ///< all events, one after another
  std::vector<std::size_t> starts;   ///< where each begins in `words`, and one more at the end
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> slots; ///< open addressing, a power of two in number; `none` is free
  std::vector<EventStatistics> measured;
  std::vector<std::uint32_t> following; ///< by event: the event that came after it last time, which
                                        ///< is nearly always the next one again; or `none`
  std::uint32_t latest = none;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> sizesOf;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> tagsOf;
  LastTags lastTags;
  std::size_t sizesMemory = 0; ///< of sizesOf and tagsOf
};

} // namespace sendwright

#endif
