// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the copies of captured blocking sends. It is filled during a batch, emptied at its
// issue, and kept: in the steady state a copy allocates nothing.

#ifndef SENDWRIGHT_RUNTIME_BATCH_COPYBUFFERS_H
#define SENDWRIGHT_RUNTIME_BATCH_COPYBUFFERS_H

#include <cstddef>
#include <memory>
#include <vector>

namespace sendwright {

class CopyBuffers {
public:
  /// Memory for `bytes` bytes, aligned for any type, valid until clear(). Throws std::bad_alloc.
  void *allocate(std::size_t bytes);
  /// Takes all memory back and keeps it for the next batch.
  void clear();
  /// Bytes handed out since clear().
  std::size_t bytes() const { return handedOut; }

private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  std::vector<Chunk> chunks;
  std::size_t current = 0; ///< chunk being filled
  std::size_t offset = 0;  ///< in that chunk
  std::size_t handedOut = 0;
};

} // namespace sendwright

#endif
