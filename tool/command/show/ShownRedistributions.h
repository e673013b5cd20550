// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profile or a plan holds about redistribute directives, for a person and as JSON.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNREDISTRIBUTIONS_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNREDISTRIBUTIONS_H

#include "analysis/trace/Profile.h"

#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

namespace sendwright {

/// An array of site, sizes before and after, and count.
nlohmann::ordered_json redistributionsJson(const std::vector<RecordedRedistribution> &list);
/// Prints such an array to `out`, under a heading; nothing where it is empty.
void printRedistributions(std::FILE *out, const nlohmann::ordered_json &list);

} // namespace sendwright

#endif
