// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/TextMutations.h"

#include "test/fuzz/Mutator.h"

#include <string_view>

namespace sendwright::fuzz {

namespace {

/// Keeps the line ends, so that joining the lines gives the text again.
std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

struct Place {
  std::size_t at, size;
};

std::vector<Place> runsOf(const std::string &text, std::string_view characters, bool inside) {
  std::vector<Place> found;
  const auto next = [&](std::size_t from, bool wanted) {
    const std::size_t at = wanted == inside ? text.find_first_of(characters, from)
                                            : text.find_first_not_of(characters, from);
    return std::min(at, text.size());
  };
  for (std::size_t at = next(0, true); at < text.size();) {
    const std::size_t end = next(at, false);
    found.push_back({at, end - at});
    at = next(end, true);
  }
  return found;
}

void mutateLines(std::string &text, Draw &draw) {
  std::vector<std::string> lines = linesOf(text);
  draw.rearrange(lines);
  text.clear();
  for (const std::string &line : lines)
    text += line;
}

void mutateNumber(std::string &text, Draw &draw) {
  static const std::string wild[] = {"1e308",
                                     "-1",
                                     "0",
                                     "1e-320",
                                     "nan",
                                     "18446744073709551616",
                                     "9223372036854775807",
                                     "4294967296",
                                     "2147483647",
                                     "0x10",
                                     "1e309",
                                     "",
                                     "0.5"};
  std::vector<Place> numbers = runsOf(text, "0123456789", true);
  const Place *place = draw.pick(numbers);
  if (!place)
    return;
  std::string number = text.substr(place->at, place->size);
  if (draw.oneIn(8) || number.size() > 18) {
    number = wild[draw.below(std::size(wild))];
  } else {
    std::uint64_t value = std::stoull(number);
    draw.change(value);
    number = std::to_string(value);
  }
  text.replace(place->at, place->size, number);
}

void mutateWord(std::string &text, const std::vector<std::string> &words, Draw &draw) {
  std::vector<Place> places = runsOf(text, " \t\r\n", false);
  const Place *place = draw.pick(places), *other = draw.pick(places);
  if (!place)
    return;
  const std::string &known = words[draw.below(words.size())];
  switch (draw.below(4)) {
  case 0:
    text.replace(place->at, place->size, known);
    break;
  case 1:
    text.insert(place->at, known + " ");
    break;
  case 2:
    text.replace(place->at, place->size, text.substr(other->at, other->size));
    break;
  default:
    text.erase(place->at, place->size);
  }
}

} // namespace

void mutateText(std::string &text, const std::vector<std::string> &words, Draw &draw) {
  switch (draw.below(4)) {
  case 0:
    return mutateLines(text, draw);
  case 1:
    return mutateWord(text, words, draw);
  default:
    mutateNumber(text, draw);
  }
}

std::string mutatedText(std::string text, const std::vector<std::string> &words, unsigned seed) {
  Draw draw(seed);
  if (draw.oneIn(8)) {
    mutateBytes(text);
    return text;
  }
  for (std::size_t changes = 1 + draw.below(4); changes > 0; --changes)
    mutateText(text, words, draw);
  return text;
}

} // namespace sendwright::fuzz
