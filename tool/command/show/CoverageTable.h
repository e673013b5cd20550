// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table that `plan` and `rewrite` end with: how many send loops a program has, what became of
// them, and how much of its communication that covers.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_COVERAGETABLE_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_COVERAGETABLE_H

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace sendwright {

/// One kind of loop or message.
struct Amount {
  std::uint64_t loops = 0, sends = 0, bytes = 0;
  void add(std::uint64_t moreSends, std::uint64_t moreBytes) {
    ++loops, sends += moreSends, bytes += moreBytes;
  }
};

struct Coverage {
  std::map<std::string, Amount> rewritten; ///< by transformation
  std::map<std::string, Amount> left;      ///< by reason
  Amount asWritten;                        ///< synchronous and such, in rewritten loops
  Amount outside;                          ///< messages sent in no loop
};

/// A line for each kind, with its share of the messages and bytes, those that cover most first.
void printCoverage(std::FILE *out, const Coverage &coverage);

} // namespace sendwright

#endif
