// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON on standard output that is safe for any strings in it.

#ifndef SENDWRIGHT_TOOL_COMMAND_BASE_JSONOUTPUT_H
#define SENDWRIGHT_TOOL_COMMAND_BASE_JSONOUTPUT_H

#include <nlohmann/json_fwd.hpp>

namespace sendwright {

/// Prints a document on one line, in which no character controls a terminal
/// (analysis/file/Escaping.h). Bytes that are not UTF-8 become the replacement character.
void writeJson(const nlohmann::ordered_json &json);

} // namespace sendwright

#endif
