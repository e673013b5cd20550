// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/FormatError.h"

#include "analysis/file/Escaping.h"

namespace sendwright {

FormatError::FormatError(const std::string &line) : std::runtime_error(printable(line)) {}

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 60;
  std::size_t size = word.size();
  if (size > most)
    for (size = most; size > 0 && (static_cast<unsigned char>(word[size]) & 0xc0) == 0x80;)
      --size; // do not cut inside a character
  return "'" + printable(word.substr(0, size)) + (size < word.size() ? "...'" : "'");
}

} // namespace sendwright
