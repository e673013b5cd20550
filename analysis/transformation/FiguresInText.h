// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How figures are printed in a plan's sentences.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_FIGURESINTEXT_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_FIGURESINTEXT_H

#include <string>

namespace sendwright {

/// snprintf() for up to three figures.
std::string formatted(const char *pattern, double a, double b = 0, double c = 0);
/// Seconds with a unit that a person can read: "49.3 ms".
std::string timeText(double seconds);
/// Seconds of a whole run, in which small parts count: "49.2817 ms".
std::string runTimeText(double seconds);

} // namespace sendwright

#endif
