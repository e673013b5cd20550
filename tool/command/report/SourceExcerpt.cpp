// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/SourceExcerpt.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace sendwright {

namespace {

constexpr unsigned linesBefore = 12, linesAfter = 24;
constexpr std::uintmax_t largestSource = 8 << 20; // bytes
constexpr std::size_t longestLine = 400;          // bytes

bool isSource(const std::filesystem::path &path) {
  constexpr std::string_view extensions[] = {".c",  ".cc",  ".cpp", ".cxx", ".c++", ".C",
                                             ".h",  ".hh",  ".hpp", ".hxx", ".inl", ".ipp",
                                             ".cu", ".f90", ".F90", ".f",   ".F"};
  std::error_code error;
  return std::find(std::begin(extensions), std::end(extensions), path.extension().string()) !=
             std::end(extensions) &&
         std::filesystem::is_regular_file(path, error) &&
         std::filesystem::file_size(path, error) <= largestSource && !error;
}

} // namespace

const std::vector<std::string> &SourceExcerpts::linesOf(const std::string &file) {
  const auto [found, isNew] = files.try_emplace(file);
  if (!isNew || file.find('\0') != std::string::npos || !isSource(file))
    return found->second;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    line.resize(std::min(line.size(), longestLine));
    found->second.push_back(line);
  }
  return found->second;
}

nlohmann::ordered_json SourceExcerpts::around(const std::string &file, unsigned line) {
  const std::vector<std::string> &lines = linesOf(file);
  if (line == 0 || line > lines.size())
    return nullptr;
  const unsigned first = line > linesBefore ? line - linesBefore : 1;
  const unsigned last = std::min(static_cast<unsigned>(lines.size()), line + linesAfter);
  nlohmann::ordered_json text = nlohmann::ordered_json::array();
  for (unsigned number = first; number <= last; ++number)
    text.push_back(lines[number - 1]);
  return {{"first", first}, {"lines", std::move(text)}};
}

} // namespace sendwright
