// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/JsonNesting.h"

namespace sendwright {

std::size_t findDeepNesting(std::string_view text, std::size_t most) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"')
      quoted = !quoted;
    else if (quoted && c == '\\')
      ++at;
    else if (!quoted && (c == '[' || c == '{') && ++depth > most)
      return at;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return std::string_view::npos;
}

} // namespace sendwright
