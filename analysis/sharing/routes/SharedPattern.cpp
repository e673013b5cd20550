// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/SharedPattern.h"

#include <algorithm>

namespace sendwright {

ExchangePattern patternOf(const CommunicationMatrix &matrix) {
  ExchangePattern pattern;
  pattern.ranks = static_cast<std::int32_t>(matrix.rows.size());
  for (std::int32_t source = 0; source < pattern.ranks; ++source) {
    const auto first = static_cast<std::ptrdiff_t>(pattern.messages.size());
    for (const MatrixEntry &entry : matrix.rows[source])
      if (entry.destination != source)
        pattern.messages.push_back({source, entry.destination, entry.items});
    std::sort(pattern.messages.begin() + first, pattern.messages.end(),
              [](const PatternMessage &a, const PatternMessage &b) {
                return a.destination < b.destination;
              });
  }
  return pattern;
}

} // namespace sendwright
