// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/BufferCounts.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>

namespace sendwright::strict {

namespace {

constexpr const char *expected =
    "expected a number, a list with a number for each rank, or a file with such a list";

struct Word {
  std::string text;
  std::string place; ///< "FILE:LINE: " or empty
};

std::optional<int> number(const std::string &text) {
  int value = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0)
    return std::nullopt;
  return value;
}

std::vector<Word> wordsOfFile(std::istream &file, const std::string &name) {
  std::vector<Word> words;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line.resize(std::min(line.size(), line.find('#')));
    const std::string place = name + ":" + std::to_string(number) + ": ";
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r,", at)) != std::string::npos;) {
      const std::size_t end = std::min(line.size(), line.find_first_of(" \t\r,", at));
      words.push_back({line.substr(at, end - at), place});
      at = end;
    }
  }
  return words;
}

std::vector<Word> wordsOfList(const std::string &value) {
  std::vector<Word> words;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.size(), value.find(',', at));
    words.push_back({value.substr(at, end - at), ""});
    at = end + 1;
  }
  return words;
}

} // namespace

BufferCounts readBufferCounts(const std::string &value, int ranks) {
  const std::string setting = "SENDWRIGHT_BUFFERS=" + value;
  const bool list = value.find_first_not_of("0123456789,") == std::string::npos;
  std::vector<Word> words;
  if (list) {
    words = wordsOfList(value);
  } else {
    const std::string name = value.substr(value[0] == '@' ? 1 : 0);
    std::ifstream file(name);
    if (!file)
      return {{}, setting + ": " + expected + ", and no file of that name can be read"};
    words = wordsOfFile(file, name);
  }
  BufferCounts counts;
  for (const Word &word : words) {
    const std::optional<int> buffers = number(word.text);
    if (!buffers)
      return {{},
              (word.place.empty() ? setting + ": " : word.place) + "'" + word.text +
                  "' is not a number of buffers, expected a whole number of at least 0"};
    counts.byRank.push_back(*buffers);
  }
  if (list && counts.byRank.size() == 1)
    counts.byRank.resize(ranks, counts.byRank[0]);
  if (counts.byRank.size() != std::size_t(ranks))
    return {{},
            setting + ": " + std::to_string(counts.byRank.size()) + " numbers, expected " +
                std::to_string(ranks) + ", one for each rank"};
  return counts;
}

} // namespace sendwright::strict
