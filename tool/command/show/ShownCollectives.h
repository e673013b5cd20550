// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan says about loops that are collective operations, and about the schedules that carry
// them out.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNCOLLECTIVES_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNCOLLECTIVES_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// Prints which operation the loop is, and its time as written and by the best schedule, or why it
/// stays as written. Prints nothing where the plan says nothing.
void printCollective(std::FILE *out, const SitePlan &plan);

/// "not_collective"; or, for a loop that is a collective operation, "operation", "algorithm",
/// "ranks", "bytes", "instances", "written_seconds" and "scheduled_seconds".
nlohmann::ordered_json collectiveJson(const SitePlan &plan);

/// For each planned operation "site" (an index), "operation", "algorithm", "root", "bytes",
/// "slots", "members" and "instance" of its communicator, "messages" (of all ranks), "sends" and
/// "receives" (of the rank with the most).
nlohmann::ordered_json plannedCollectivesJson(const RankCountPlan &plan);

/// One line for each operation on standard output; nothing where there are none.
void printPlannedCollectives(const RankCountPlan &plan);

} // namespace sendwright

#endif
