// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long lists of numbers for the page: little-endian bytes in base64, a third of what digits take.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_PACKEDNUMBERS_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_PACKEDNUMBERS_H

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace sendwright {

/// The numbers, which are unsigned, in base64. Linear.
template <typename Number> std::string packed(const std::vector<Number> &numbers) {
  static_assert(std::is_unsigned_v<Number>);
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(numbers.size() * sizeof(Number) * 4 / 3 + 4);
  unsigned bits = 0, held = 0;
  for (const Number number : numbers)
    for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
      bits = bits << 8 | (static_cast<unsigned>(number >> (8 * byte)) & 255u);
      for (held += 8; held >= 6; held -= 6)
        text += digits[bits >> (held - 6) & 63];
      bits &= (1u << held) - 1;
    }
  if (held > 0)
    text += digits[bits << (6 - held) & 63];
  while (text.size() % 4 != 0)
    text += '=';
  return text;
}

} // namespace sendwright

#endif
