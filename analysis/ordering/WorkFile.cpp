// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/WorkFile.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace sendwright {

namespace {

/// The value of a word in units of one send; nothing if the word is no number at all.
std::optional<double> parseUnits(std::string_view word, double secondsPerSend) {
  double value = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc())
    return std::nullopt;
  std::string_view suffix = word.substr(static_cast<std::size_t>(end - word.data()));
  if (suffix.empty())
    return value;
  if (suffix == "s")
    return value / secondsPerSend;
  if (suffix == "ms")
    return value * 1e-3 / secondsPerSend;
  if (suffix == "us")
    return value * 1e-6 / secondsPerSend;
  return std::nullopt;
}

bool usable(double work) { return std::isfinite(work) && work >= 0; }

} // namespace

std::vector<double> readWork(const std::string &argument, std::size_t ranks,
                             double secondsPerSend) {
  const char *expected =
      "expected a number of at least 0 (units of one send), or a time in s, ms, us";
  if (auto work = parseUnits(argument, secondsPerSend)) {
    if (!usable(*work))
      throw FormatError("--work " + argument + ": " + expected);
    return std::vector<double>(ranks, *work);
  }
  const std::string name = argument == "-" ? "<stdin>" : argument;
  const std::string text = readTextFile(argument);
  std::vector<double> work;
  std::size_t lineNumber = 0;
  auto fail = [&](const std::string &problem) {
    throw FormatError(name + ":" + std::to_string(std::max<std::size_t>(lineNumber, 1)) + ": " +
                      problem);
  };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++lineNumber;
    line = line.substr(0, line.find('#'));
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
      std::size_t after = std::min(line.find_first_of(" \t\r", at), line.size());
      std::string_view word = line.substr(at, after - at);
      at = after;
      const double value = parseUnits(word, secondsPerSend).value_or(-1);
      if (!usable(value))
        fail("found " + quoted(word) + ", " + expected);
      if (work.size() == ranks)
        fail("more than " + std::to_string(ranks) + " numbers, expected one per rank");
      work.push_back(value);
    }
  }
  if (work.size() != ranks)
    fail(std::to_string(work.size()) + " numbers, expected one for each of " +
         std::to_string(ranks) + " ranks");
  return work;
}

} // namespace sendwright
