// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load of arrays between redistribute directives, and which sizes of blocks would have been
// best (analysis/redistribution/LoadAdvice.h), as plan, show and report have it.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNLOADS_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNLOADS_H

#include "analysis/machine/Machine.h"
#include "analysis/trace/Profile.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// A list with an object for each directive and array of the profile: what was recorded. With a
/// machine also what would have been best on it, for the first 32 of them.
nlohmann::ordered_json loadsJson(const Profile &profile, const Machine *machine);

/// What loadsJson() returned, for people; nothing for an empty list.
void printLoads(std::FILE *out, const nlohmann::ordered_json &list);

} // namespace sendwright

#endif
