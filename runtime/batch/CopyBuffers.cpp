// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/CopyBuffers.h"

#include <algorithm>

namespace sendwright {

void *CopyBuffers::allocate(std::size_t bytes) {
  constexpr std::size_t alignment = alignof(std::max_align_t);
  constexpr std::size_t chunkSize = std::size_t(256) * 1024;
  const std::size_t needed = (bytes + alignment - 1) / alignment * alignment;
  while (current < chunks.size() && chunks[current].size - offset < needed) {
    ++current;
    offset = 0;
  }
  if (current == chunks.size()) {
    const std::size_t size = std::max(needed, chunkSize);
    chunks.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
  }
  void *result = chunks[current].memory.get() + offset;
  offset += needed;
  handedOut += bytes;
  return result;
}

void CopyBuffers::clear() {
  current = 0;
  offset = 0;
  handedOut = 0;
}

} // namespace sendwright
