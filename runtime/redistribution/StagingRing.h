// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for packed chunks, given back in the order in which it was taken.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_STAGINGRING_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_STAGINGRING_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sendwright::redistribution {

class StagingRing {
public:
  /// Throws std::bad_alloc.
  explicit StagingRing(std::uint64_t bytes)
      : memory(bytes ? new char[bytes] : nullptr), capacity(bytes) {}

  /// Returns null where there is no room now. While nothing is taken, there is room for half of the
  /// ring.
  char *take(std::uint64_t bytes) {
    if (chunks == 0)
      begin = end = 0;
    const bool wrapped = chunks > 0 && end <= begin;
    if (!wrapped && capacity - end < bytes) {
      if (begin < bytes || chunks == 0)
        return nullptr;
      end = 0; // the rest up to the end stays empty
    } else if (wrapped && begin - end < bytes) {
      return nullptr;
    }
    char *const taken = memory.get() + end;
    end += bytes;
    ++chunks;
    return taken;
  }

  /// Gives back the chunk that was taken first; `next` is the chunk after it, or null.
  void giveBack(const char *next) {
    --chunks;
    if (next)
      begin = static_cast<std::uint64_t>(next - memory.get());
  }

private:
  std::unique_ptr<char[]> memory;
  std::uint64_t capacity, begin = 0, end = 0; ///< taken: [begin, end), or its wrapped equivalent
  std::uint64_t chunks = 0;
};

} // namespace sendwright::redistribution

#endif
