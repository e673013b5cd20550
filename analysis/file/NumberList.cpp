// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/NumberList.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sendwright {

std::vector<std::uint64_t> parseNumberList(const std::string &value, const std::string &option,
                                           const char *expected, std::uint64_t largest) {
  const bool file = value.starts_with('@');
  const std::string name = value.substr(file ? 1 : 0);
  const std::string shown = name == "-" ? "<stdin>" : name;
  const std::string text = file ? readTextFile(name) : name;
  std::vector<std::uint64_t> result;
  std::size_t line = 1;
  auto fail = [&](std::string_view found) {
    throw FormatError((file ? shown + ":" + std::to_string(line) : option) + ": found " +
                      quoted(found) + ", expected " + expected);
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#' && file) {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      line += c == '\n';
      ++at;
    } else {
      const std::size_t end = std::min(text.find_first_of(", \t\r\n#", at), text.size());
      std::uint64_t number = 0;
      auto [last, error] = std::from_chars(text.data() + at, text.data() + end, number);
      if (error != std::errc() || last != text.data() + end || end == at || number > largest)
        fail(std::string_view(text).substr(at, std::max<std::size_t>(end - at, 1)));
      result.push_back(number);
      at = end;
    }
  }
  if (result.empty())
    fail("nothing");
  return result;
}

} // namespace sendwright
