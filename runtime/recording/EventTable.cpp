// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/EventTable.h"

#include "analysis/file/Hashing.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sendwright {

namespace {

// The words of an event; its requests, matches and moved bytes follow.
enum Word : std::size_t {
  kindAndFunction,
  peerWord,
  tagWord,
  communicatorWord,
  siteWord,
  groupWords, ///< sizes are counted for each combination of the words up to here
  addressWord = groupWords,
  callWord,
  bytesWord,
  receivePeerWord = bytesWord + 2,
  receiveTagWord,
  receiveBytesWord,
  requestCountWord = receiveBytesWord + 2,
  matchCountWord,
  movedCountWord,
  fixedWords
};
constexpr std::size_t matchWords = 5, movedWords = 6;
constexpr std::uint32_t relativeTagFlag = 1u << 31; ///< in kindAndFunction

MpiFunctionId functionOf(std::uint32_t word) {
  return MpiFunctionId((word & ~relativeTagFlag) >> 8);
}

void putLong(std::uint32_t *words, std::uint64_t value) {
  words[0] = std::uint32_t(value);
  words[1] = std::uint32_t(value >> 32);
}

std::uint64_t getLong(const std::uint32_t *words) {
  return words[0] | std::uint64_t(words[1]) << 32;
}

/// Lists grow by a quarter: while one grows, both the old and the new one take memory.
template <typename Value> void makeRoomGently(std::vector<Value> &list, std::size_t more) {
  if (list.size() + more > list.capacity())
    list.reserve(list.size() + more + list.size() / 4 + 64);
}

/// Bytes of a list, and of the one that it grows into if so many further values no longer fit.
template <typename Value>
std::size_t bytesWhenGrowing(const std::vector<Value> &list, std::size_t more, double factor) {
  const std::size_t bytes = list.capacity() * sizeof(Value);
  return list.size() + more <= list.capacity() ? bytes
                                               : bytes + std::size_t(double(bytes) * factor);
}

std::uint64_t hashOf(std::span<const std::uint32_t> words) {
  return XXH3_64bits(words.data(), words.size_bytes());
}

} // namespace

void EventTable::encode(const EventContent &content) {
  sought.resize(fixedWords + content.requests.size() + content.matches.size() * matchWords +
                content.moved.size() * movedWords);
  std::uint32_t *word = sought.data();
  word[kindAndFunction] = std::uint32_t(content.kind) | std::uint32_t(content.function) << 8;
  word[peerWord] = content.peer;
  word[tagWord] = content.tag;
  word[communicatorWord] = content.communicator;
  word[siteWord] = content.site;
  word[addressWord] = std::uint32_t(content.address);
  word[callWord] = content.call;
  putLong(word + bytesWord, content.bytes);
  word[receivePeerWord] = content.receivePeer;
  word[receiveTagWord] =
      content.kind == EventKind::SiteEnter ? content.context : std::uint32_t(content.receiveTag);
  putLong(word + receiveBytesWord, content.receiveBytes);
  word[requestCountWord] = std::uint32_t(content.requests.size());
  word[matchCountWord] = std::uint32_t(content.matches.size());
  word[movedCountWord] = std::uint32_t(content.moved.size());
  word += fixedWords;
  for (int request : content.requests)
    *word++ = request;
  for (const WildcardMatch &match : content.matches) {
    word[0] = match.request;
    word[1] = match.source;
    word[2] = match.tag;
    putLong(word + 3, match.bytes);
    word += matchWords;
  }
  for (const MovedMessage &message : content.moved) {
    word[0] = message.peer;
    word[1] = message.received;
    putLong(word + 2, message.bytes);
    putLong(word + 4, message.chunkBytes);
    word += movedWords;
  }
}

std::uint64_t EventTable::limitSize(std::vector<std::uint64_t> &sizes, std::uint64_t size,
                                    bool mayGrow) {
  if (size == 0 || std::find(sizes.begin(), sizes.end(), size) != sizes.end())
    return size;
  if (sizes.size() < distinctSizes) {
    if (mayGrow)
      pushCounted(sizes, size);
    return size;
  }
  return std::bit_ceil(std::min(size, std::uint64_t(1) << 63));
}

/// Rounds the sizes in `sought` if there are too many; returns true if it changed something.
bool EventTable::limitSizes(bool mayGrow) {
  std::array<std::uint32_t, groupWords> group;
  std::copy_n(sought.begin(), groupWords, group.begin());
  // Else every tag of a program that has relative tags would be a group.
  if (group[kindAndFunction] & relativeTagFlag)
    group[tagWord] = 0;
  std::vector<std::uint64_t> *const known = groupIn(sizesOf, hashOf(group), mayGrow);
  if (!known)
    return false;
  bool changed = false;
  std::vector<std::uint64_t> &sizes = *known;
  const auto limit = [&](std::uint32_t *word) {
    const std::uint64_t size = getLong(word), limited = limitSize(sizes, size, mayGrow);
    changed |= limited != size;
    putLong(word, limited);
  };
  limit(&sought[bytesWord]);
  limit(&sought[receiveBytesWord]);
  std::size_t word = fixedWords + sought[requestCountWord];
  for (std::uint32_t match = 0; match < sought[matchCountWord]; ++match, word += matchWords)
    limit(&sought[word + 3]);
  return changed;
}

/// Makes the tags in `sought` relative if there are too many; returns true if it changed them.
bool EventTable::limitTags(bool mayGrow) {
  if (EventKind(sought[kindAndFunction] & 0xff) != EventKind::Call || sought[matchCountWord] > 0)
    return false;
  const std::uint32_t ofCall[] = {sought[kindAndFunction], sought[peerWord],
                                  sought[communicatorWord], sought[addressWord],
                                  sought[receivePeerWord]};
  std::vector<std::uint32_t> *const known = groupIn(tagsOf, hashOf(ofCall), mayGrow);
  if (!known)
    return false;
  std::vector<std::uint32_t> &tags = *known;
  const std::uint32_t tag = sought[tagWord];
  if (std::find(tags.begin(), tags.end(), tag) != tags.end())
    return false;
  if (tags.size() < distinctTags) {
    if (mayGrow)
      pushCounted(tags, tag);
    return false;
  }
  const MpiFunctionId function = functionOf(sought[kindAndFunction]);
  int &last = lastTags.at(function, int(sought[communicatorWord]), sought[addressWord]);
  sought[kindAndFunction] |= relativeTagFlag;
  sought[tagWord] = tag - std::uint32_t(last);
  if (mpiFunction(function).role == MpiRole::SendReceive)
    sought[receiveTagWord] -= tag;
  last = int(tag);
  return true;
}

std::span<const std::uint32_t> EventTable::wordsOf(std::uint32_t number) const {
  return std::span(words).subspan(starts[number], starts[number + 1] - starts[number]);
}

/// The slot of `sought`, or the free slot that it would take.
std::size_t EventTable::slotOf(std::uint64_t hash) const {
  const std::size_t mask = slots.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t number = slots[slot];
    if (number == none)
      return slot;
    if (hashes[number] == hash) {
      const std::span<const std::uint32_t> candidate = wordsOf(number);
      if (std::equal(candidate.begin(), candidate.end(), sought.begin(), sought.end()))
        return slot;
    }
  }
}

void EventTable::grow() {
  const std::size_t size = std::max<std::size_t>(64, slots.size() * 2);
  slots.assign(size, none);
  for (std::uint32_t number = 0; number < hashes.size(); ++number) {
    std::size_t slot = hashes[number] & (size - 1);
    while (slots[slot] != none)
      slot = (slot + 1) & (size - 1);
    slots[slot] = number;
  }
}

std::uint32_t EventTable::insert(std::uint64_t hash) {
  const std::uint32_t number = std::uint32_t(hashes.size());
  if (starts.empty())
    starts.push_back(0);
  makeRoomGently(words, sought.size());
  makeRoomGently(measured, 1);
  words.insert(words.end(), sought.begin(), sought.end());
  starts.push_back(words.size());
  hashes.push_back(hash);
  measured.emplace_back();
  following.push_back(none);
  slots[slotOf(hash)] = number;
  return number;
}

std::uint32_t EventTable::number(const EventContent &content, bool mayGrow) {
  encode(content);
  std::uint32_t *const guess = latest != none ? &following[latest] : nullptr;
  if (guess && *guess != none) {
    const std::span<const std::uint32_t> candidate = wordsOf(*guess);
    if (std::equal(candidate.begin(), candidate.end(), sought.begin(), sought.end()))
      return latest = *guess;
  }
  const std::uint32_t found = lookUp(mayGrow);
  if (latest != none)
    following[latest] = found;
  return latest = found;
}

/// The number of `sought`.
std::uint32_t EventTable::lookUp(bool mayGrow) {
  if (slots.size() < 2 * (hashes.size() + 1) && (mayGrow || slots.empty()))
    grow();
  std::uint64_t hash = hashOf(sought);
  if (const std::uint32_t known = slots[slotOf(hash)]; known != none)
    return known;
  if (limitTags(mayGrow)) {
    hash = hashOf(sought);
    if (const std::uint32_t known = slots[slotOf(hash)]; known != none)
      return known;
  }
  if (limitSizes(mayGrow)) {
    hash = hashOf(sought);
    if (const std::uint32_t known = slots[slotOf(hash)]; known != none)
      return known;
  }
  return mayGrow ? insert(hash) : none;
}

void EventTable::count(std::uint32_t number, double before, double inside) {
  EventStatistics &statistics = measured[number];
  if (statistics.count++ == 0) {
    statistics.beforeMinimum = statistics.beforeMaximum = before;
  } else {
    statistics.beforeMinimum = std::min(statistics.beforeMinimum, before);
    statistics.beforeMaximum = std::max(statistics.beforeMaximum, before);
  }
  statistics.before += before;
  statistics.inside += inside;
}

void EventTable::finish() {
  latest = none;
  slots = {};
  following = {};
  sizesOf = {};
  tagsOf = {};
}

void EventTable::read(std::uint32_t number, Event &event) const {
  const std::uint32_t *word = wordsOf(number).data();
  event.kind = EventKind(word[kindAndFunction] & 0xff);
  event.function = functionOf(word[kindAndFunction]);
  event.relativeTag = word[kindAndFunction] & relativeTagFlag;
  event.peer = int(word[peerWord]);
  event.tag = int(word[tagWord]);
  event.communicator = int(word[communicatorWord]);
  event.site = int(word[siteWord]);
  event.address = word[addressWord];
  event.call = int(word[callWord]);
  event.bytes = getLong(word + bytesWord);
  event.receivePeer = int(word[receivePeerWord]);
  event.receiveTag = event.kind == EventKind::SiteEnter ? 0 : int(word[receiveTagWord]);
  event.receiveBytes = getLong(word + receiveBytesWord);
  event.seconds = 0;
  event.time = -1;
  const std::uint32_t requests = word[requestCountWord], matches = word[matchCountWord],
                      moved = word[movedCountWord];
  word += fixedWords;
  event.requests.assign(word, word + requests);
  word += requests;
  event.matches.clear();
  for (std::uint32_t match = 0; match < matches; ++match, word += matchWords)
    event.matches.push_back({int(word[0]), int(word[1]), int(word[2]), getLong(word + 3)});
  event.moved.clear();
  for (std::uint32_t message = 0; message < moved; ++message, word += movedWords)
    event.moved.push_back({int(word[0]), word[1] != 0, getLong(word + 2), getLong(word + 4)});
}

std::size_t EventTable::memory() const {
  constexpr std::size_t nextWords = 1024; // of an event that comes
  const bool slotsGrow = slots.size() < 2 * (hashes.size() + 2);
  return bytesWhenGrowing(words, nextWords, 1.25) + bytesWhenGrowing(starts, 1, 2) +
         bytesWhenGrowing(hashes, 1, 2) + bytesWhenGrowing(measured, 1, 1.25) +
         bytesWhenGrowing(following, 1, 2) +
         slots.capacity() * sizeof slots[0] * (slotsGrow ? 3 : 1) + sizesMemory + lastTags.memory();
}

} // namespace sendwright
