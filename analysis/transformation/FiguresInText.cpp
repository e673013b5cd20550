// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/transformation/FiguresInText.h"

#include <cstdio>

namespace sendwright {

std::string formatted(const char *pattern, double a, double b, double c) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, a, b, c);
  return text;
}

std::string timeText(double value) {
  if (value >= 1)
    return formatted("%.3g s", value);
  return value >= 1e-3 ? formatted("%.3g ms", value * 1e3) : formatted("%.3g us", value * 1e6);
}

std::string runTimeText(double seconds) {
  if (seconds >= 1)
    return formatted("%.6g s", seconds);
  return seconds >= 1e-3 ? formatted("%.6g ms", seconds * 1e3)
                         : formatted("%.6g us", seconds * 1e6);
}

} // namespace sendwright
