// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How figures are printed for people: the only place that decides on digits and units. Decimal
// prefixes throughout: a kB is 1000 bytes.
//
// printf patterns, because they need no library: {fmt} would be in every program that is built with
// the runtime, and std::format is not in GCC 12. The compiler checks patterns and arguments.

#ifndef SENDWRIGHT_ANALYSIS_FILE_FIGURETEXT_H
#define SENDWRIGHT_ANALYSIS_FILE_FIGURETEXT_H

#include <cstdint>
#include <string>

namespace sendwright {

/// snprintf() into a string that is as long as it must be; "" for a pattern that fails.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char *pattern, ...);

/// Seconds with three digits, in s, ms or us: "49.3 ms".
std::string timeText(double seconds);
/// The same with six digits, for whole runs, of which small parts count: "49.2817 ms".
std::string runTimeText(double seconds);
/// Seconds with one decimal, in s, ms or us, for gains, which may be losses: "-49.3 ms".
std::string gainText(double seconds);
/// Seconds in microseconds, whatever their size: "1234.5 us".
std::string microseconds(double seconds, int decimals = 1);

/// A quantity with three digits and the prefix that suits, n to G: "12.5 us", "3.2 MB". What is
/// too small for the least prefix, or negative, is "0" and the unit.
std::string scaled(double value, const char *unit);
/// "3.2 MB".
std::string bytesText(std::uint64_t bytes);

/// `percent` with so many digits that count: "1.5 %".
std::string percentText(double percent, int digits = 2);

} // namespace sendwright

#endif
