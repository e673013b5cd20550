// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of a source around a site, where the source can be read.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_SOURCEEXCERPT_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_SOURCEEXCERPT_H

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace sendwright {

class SourceExcerpts {
public:
  /// {"first": number of the first line, "lines": [text, ...]}, or null. A profile may name any
  /// file, and a report is passed on, so only sources of programs are read. Each file is read once.
  nlohmann::ordered_json around(const std::string &file, unsigned line);

private:
  const std::vector<std::string> &linesOf(const std::string &file);

  std::map<std::string, std::vector<std::string>> files;
};

} // namespace sendwright

#endif
