// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profile lacks because ranks reached their limit on memory (SENDWRIGHT_PROFILE_MEMORY), by
// the place of the calls; for a person and as JSON.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNLEFTOUT_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNLEFTOUT_H

#include "analysis/trace/Profile.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace sendwright {

/// An array with an object for each place, most calls first: `place`, `function`, the `ranks` that
/// left calls out, their `calls`, how many of these are `uncounted` because they equal no recorded
/// call, and the `bytes` of the uncounted calls. Linear in what was left out, but for sorting.
nlohmann::ordered_json leftOutJson(const Profile &profile);
/// Prints a line for each of these objects after a heading, or nothing.
void printLeftOut(std::FILE *out, const nlohmann::ordered_json &places);

} // namespace sendwright

#endif
