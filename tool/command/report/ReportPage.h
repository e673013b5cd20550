// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page that shows a report: one file without references to others. Its HTML, styles and
// scripts are the files in page/, which the build joins with the library that draws
// (page/embed.py). The data is one block of JSON in it.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_REPORTPAGE_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_REPORTPAGE_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace sendwright {

/// The page with this data. No string in the data can end the block or become markup; bytes that
/// are not UTF-8 become the replacement character.
std::string reportPage(const nlohmann::ordered_json &data);

} // namespace sendwright

#endif
