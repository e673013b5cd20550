// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan rewrites in the source, as `sendwright rewrite --diff` prints it: a unified diff.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_SOURCEDIFF_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_SOURCEDIFF_H

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sendwright {

class SourceDiff {
public:
  SourceDiff() = default;
  /// Reads a diff. Throws FormatError, "FILE:LINE: ...", for a hunk that breaks off or has lines
  /// that no diff has.
  explicit SourceDiff(const std::string &name);

  /// The lines of the hunks that hold the line of the file, each with its first character (' ', '-'
  /// or '+'); null if there are none. A file is known by its last component, so that the diff may
  /// have been made in another folder.
  nlohmann::ordered_json around(const std::string &file, unsigned line) const;

private:
  struct Hunk {
    std::string file;              ///< its last component
    unsigned first = 0, count = 0; ///< lines before the change
    std::vector<std::string> lines;
  };
  std::vector<Hunk> hunks;
};

} // namespace sendwright

#endif
