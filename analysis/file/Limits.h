// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file may ask for. A few bytes can stand for any number of ranks, calls or messages; every
// such number is compared with its limit here before memory or time is spent on it. Files of a
// megabyte stay within ten seconds and a gigabyte so.
//
// A limit that is passed is a FormatError in one form: "FILE: FOUND WHAT, expected at most MOST",
// and the option that changes it, where there is one.

#ifndef SENDWRIGHT_ANALYSIS_FILE_LIMITS_H
#define SENDWRIGHT_ANALYSIS_FILE_LIMITS_H

#include "analysis/file/FormatError.h"

#include <cstdint>
#include <string>

namespace sendwright {

struct Limit {
  const char *what; ///< what is counted, after its number
  std::uint64_t most;
  const char *remedy = nullptr; ///< what the user can do, part of a sentence

  /// Throws FormatError where `found` is more. `where`: "FILE" or "FILE:LINE".
  void check(const std::string &where, std::uint64_t found) const {
    if (found > most)
      fail(where, std::to_string(found));
  }
  /// The same for a product, which may be larger than 64 bits hold.
  void checkProduct(const std::string &where, std::uint64_t one, std::uint64_t other) const {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(one, other, &product))
      fail(where, "more than 2^64");
    check(where, product);
  }
  [[noreturn]] void fail(const std::string &where, const std::string &found) const {
    throw FormatError(where + ": " + found + " " + what + ", expected at most " +
                      std::to_string(most) + (remedy ? std::string(" (") + remedy + ")" : ""));
  }
};

namespace limits {

// Plans of a run.
inline constexpr Limit patternsOfRanks{"patterns of send loops, counted once for each rank",
                                       2'000'000};

} // namespace limits

} // namespace sendwright

#endif
