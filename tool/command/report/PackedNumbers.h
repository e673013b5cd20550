// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long lists of numbers for the page: little-endian bytes in base64, a third of what digits take.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_PACKEDNUMBERS_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_PACKEDNUMBERS_H

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// The same for numbers of which many are small: {"bytes" of a number: 1, 2, 4 or 8, and "data"}.
inline nlohmann::ordered_json packedSmall(const std::vector<std::uint64_t> &numbers) {
  const std::uint64_t most =
      numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  const auto as = [&]<typename Number>(Number) {
    std::vector<Number> narrow;
    narrow.reserve(numbers.size());
    for (const std::uint64_t number : numbers)
      narrow.push_back(static_cast<Number>(number));
    return nlohmann::ordered_json{{"bytes", sizeof(Number)}, {"data", packed(narrow)}};
  };
  if (most <= UINT8_MAX)
    return as(std::uint8_t{});
  if (most <= UINT16_MAX)
    return as(std::uint16_t{});
  return most <= UINT32_MAX ? as(std::uint32_t{}) : as(std::uint64_t{});
}

} // namespace sendwright

#endif
