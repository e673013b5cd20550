// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table at the end of `plan` and `rewrite`: how many send loops a program has, what became of
// them, and how much of its communication they carry.

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
  Amount &operator+=(const Amount &other) {
    loops += other.loops, sends += other.sends, bytes += other.bytes;
    return *this;
  }
};

struct Coverage {
  std::map<std::string, Amount> rewritten; ///< keyed by transformation
  std::map<std::string, Amount> left;      ///< keyed by reason
  std::map<std::string, Amount> notShared; ///< loops of `rewritten` and `left`, by why their
                                           ///< messages are not shared; "" is no reason
  Amount asWritten;                        ///< synchronous sends and such, in rewritten loops
  Amount outside;                          ///< messages sent outside of loops
};

/// Prints a line for each kind with its share of the messages and bytes, the largest first.
void printCoverage(std::FILE *out, const Coverage &coverage);

} // namespace sendwright

#endif
