// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libFuzzer's custom mutators share: the input as a string, and the result back in its
// buffer.

#ifndef SENDWRIGHT_TEST_FUZZ_MUTATOR_H
#define SENDWRIGHT_TEST_FUZZ_MUTATOR_H

#include "test/fuzz/Draw.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t mostSize,
                                    unsigned seed);
std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t mostSize);
}

namespace sendwright::fuzz {

inline std::string_view viewOf(const std::uint8_t *data, std::size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// libFuzzer's own mutations, of bytes in a string.
inline void mutateBytes(std::string &bytes) {
  constexpr std::size_t mostGrowth = 64;
  const std::size_t size = bytes.size();
  bytes.resize(size + mostGrowth);
  bytes.resize(
      LLVMFuzzerMutate(reinterpret_cast<std::uint8_t *>(bytes.data()), size, size + mostGrowth));
}

/// Passes `changed` to libFuzzer; if it is too long, one of libFuzzer's own mutations instead.
inline std::size_t handOver(const std::string &changed, std::uint8_t *data, std::size_t size,
                            std::size_t mostSize) {
  if (changed.empty() || changed.size() > mostSize)
    return LLVMFuzzerMutate(data, size, mostSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

} // namespace sendwright::fuzz

#endif
