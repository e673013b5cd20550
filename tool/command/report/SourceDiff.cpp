// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/SourceDiff.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"

#include <cstdio>
#include <sstream>
#include <string_view>
#include <utility>

namespace sendwright {

namespace {

std::string lastComponent(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

/// Lines of each side that a hunk still lacks.
struct HunkRest {
  unsigned before = 0, after = 0;

  /// False for a line that the hunk cannot have.
  bool take(const std::string &line) {
    const char kind = line.empty() ? ' ' : line[0];
    if (kind == '\\') // "\ No newline at end of file"
      return true;
    if ((kind != ' ' && kind != '-' && kind != '+') || (kind != '+' && before == 0) ||
        (kind != '-' && after == 0))
      return false;
    before -= kind != '+';
    after -= kind != '-';
    return true;
  }
};

/// "@@ -12,7 +12,9 @@"; a count of 1 may be left out.
bool readHeader(const std::string &line, unsigned &first, HunkRest &rest) {
  unsigned firstAfter = 0;
  rest = {1, 1};
  int end = 0;
  const auto matches = [&](int found, int expected) { return found == expected && end > 0; };
  const char *text = line.c_str();
  return matches(std::sscanf(text, "@@ -%9u,%9u +%9u,%9u @@%n", &first, &rest.before, &firstAfter,
                             &rest.after, &end),
                 4) ||
         (rest = {1, 1}, matches(std::sscanf(text, "@@ -%9u +%9u,%9u @@%n", &first, &firstAfter,
                                             &rest.after, &end),
                                 3)) ||
         (rest = {1, 1}, matches(std::sscanf(text, "@@ -%9u,%9u +%9u @@%n", &first, &rest.before,
                                             &firstAfter, &end),
                                 3)) ||
         (rest = {1, 1},
          matches(std::sscanf(text, "@@ -%9u +%9u @@%n", &first, &firstAfter, &end), 2));
}

} // namespace

SourceDiff::SourceDiff(const std::string &name) {
  std::istringstream in(readTextFile(name));
  std::string file;
  HunkRest rest;
  std::size_t number = 0;
  const auto fail = [&](const std::string &problem) {
    throw FormatError((name == "-" ? "<stdin>" : name) + ":" + std::to_string(number) + ": " +
                      problem);
  };
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (rest.before > 0 || rest.after > 0) {
      if (!rest.take(line))
        fail("found '" + printable(line.substr(0, 40)) +
             "', expected a line of a unified diff that begins with ' ', '-' or '+'");
      hunks.back().lines.push_back(line);
    } else if (line.starts_with("--- ")) {
      file = lastComponent(line.substr(4, line.find('\t') - 4));
    } else if (line.starts_with("@@")) {
      Hunk hunk{file, 0, 0, {}};
      if (!readHeader(line, hunk.first, rest) || file.empty())
        fail("found '" + printable(line.substr(0, 40)) +
             "', expected '--- FILE' and then '@@ -LINE,COUNT +LINE,COUNT @@'");
      hunk.count = rest.before;
      hunks.push_back(std::move(hunk));
    }
  }
  if (rest.before > 0 || rest.after > 0)
    fail("the diff ends inside a hunk, expected " + std::to_string(rest.before) +
         " more lines of the source");
}

nlohmann::ordered_json SourceDiff::around(const std::string &file, unsigned line) const {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const Hunk &hunk : hunks)
    if (hunk.file == lastComponent(file) && line >= hunk.first && line - hunk.first < hunk.count)
      for (const std::string &text : hunk.lines)
        lines.push_back(text);
  return lines.empty() ? nullptr : lines;
}

} // namespace sendwright
