// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/Draw.h"

#include <cmath>

namespace sendwright::fuzz {

std::uint64_t Draw::changed(std::uint64_t value, int digits) {
  const std::uint64_t largest = digits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << digits) - 1;
  switch (below(8)) {
  case 0:
  case 1:
    return below(5);
  case 2:
    return value + 1;
  case 3:
    return value - 1;
  case 4:
    return largest - below(2);
  case 5:
    return (std::uint64_t{1} << below(static_cast<std::size_t>(digits))) - below(2);
  case 6:
    return value * 2;
  default:
    return random() & largest;
  }
}

void Draw::change(double &value) {
  static constexpr double notable[] = {0,     1,      -1,     1e-9,     1e-6, 1e-3, 1e9, 1e300,
                                       1e308, 5e-324, 1e-300, INFINITY, NAN,  -0.0, 0.1};
  switch (below(4)) {
  case 0:
    value = notable[below(std::size(notable))];
    break;
  case 1:
    value *= 2;
    break;
  case 2:
    value /= 1024;
    break;
  default:
    value *= 1e6;
  }
}

void Draw::change(std::string &text) {
  static const std::string notable[] = {
      "*/", "\n", "\x1b[31m", "\\\n", "\"", std::string(1, 0), "\xff",         "/", "?\?/",
      "..", "#",  " = int",   "%s%n", "/*", "MPI_Bcast",       "binomial tree"};
  const std::size_t at = below(text.size() + 1);
  switch (below(4)) {
  case 0:
    text.insert(at, notable[below(std::size(notable))]);
    break;
  case 1:
    text.erase(at, 1 + below(4));
    break;
  case 2:
    text.insert(at, 1, static_cast<char>(below(256)));
    break;
  default:
    text = notable[below(std::size(notable))];
  }
}

} // namespace sendwright::fuzz
