// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/FigureText.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace sendwright {

namespace {

struct TimeUnit {
  double perSecond;
  const char *name;
};

/// The unit that keeps the number small.
TimeUnit unitOf(double seconds) {
  if (seconds >= 1)
    return {1, "s"};
  return seconds >= 1e-3 ? TimeUnit{1e3, "ms"} : TimeUnit{1e6, "us"};
}

} // namespace

std::string formatted(const char *pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

std::string timeText(double seconds) {
  const TimeUnit unit = unitOf(seconds);
  return formatted("%.3g %s", seconds * unit.perSecond, unit.name);
}

std::string runTimeText(double seconds) {
  const TimeUnit unit = unitOf(seconds);
  return formatted("%.6g %s", seconds * unit.perSecond, unit.name);
}

std::string gainText(double seconds) {
  const TimeUnit unit = unitOf(std::abs(seconds));
  return formatted("%.1f %s", seconds * unit.perSecond, unit.name);
}

std::string microseconds(double seconds, int decimals) {
  return formatted("%.*f us", decimals, seconds * 1e6);
}

std::string scaled(double value, const char *unit) {
  static const std::pair<double, const char *> prefixes[] = {
      {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  for (const auto &[factor, prefix] : prefixes)
    if (value >= factor * 0.9995)
      return formatted("%.3g %s%s", value / factor, prefix, unit);
  return formatted("0 %s", unit);
}

std::string bytesText(std::uint64_t bytes) { return scaled(static_cast<double>(bytes), "B"); }

std::string percentText(double percent, int digits) {
  return formatted("%.*g %%", digits, percent);
}

} // namespace sendwright
