// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that lasts as long as an operation.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_SCRATCH_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_SCRATCH_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sendwright::collectives {

class Scratch {
public:
  /// Aligned for any type. Throws std::bad_alloc.
  std::byte *allocate(std::uint64_t bytes) {
    pieces.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes + 1)); // even for zero bytes
    return pieces.back().get();
  }

private:
  std::vector<std::unique_ptr<std::byte[]>> pieces;
};

} // namespace sendwright::collectives

#endif
