// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are collective operations, in a plan: what it says of such a loop, and by which
// schedules they go.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNCOLLECTIVES_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNCOLLECTIVES_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// Prints, where there is something to say, which operation the loop is, its time as written and by
/// the best schedule, or why it stays as written.
void printCollective(std::FILE *out, const SitePlan &plan);

/// "not_collective", and of a loop that is one "operation", "algorithm", "ranks", "bytes",
/// "instances", "written_seconds" and "scheduled_seconds".
nlohmann::ordered_json collectiveJson(const SitePlan &plan);

/// Of each planned one "site" (an index), "operation", "algorithm", "root", "bytes", "slots",
/// "members" and "instance" of its communicator; "messages": of all ranks; "sends", "receives": the
/// most of a rank.
nlohmann::ordered_json plannedCollectivesJson(const RankCountPlan &plan);

/// A line each on standard output; nothing where there are none.
void printPlannedCollectives(const RankCountPlan &plan);

} // namespace sendwright

#endif
