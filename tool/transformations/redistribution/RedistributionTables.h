// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules redistributions whose sizes are known at compile time, because they are constants or
// because the profile shows them. The result is a table for the runtime, which uses it where it
// fits, and a table for a person to read.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONTABLES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONTABLES_H

#include "analysis/plan/Plan.h"
#include "tool/transformations/redistribution/RedistributionChecks.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The schedules of one directive.
struct ScheduleTable {
  std::string definition; ///< C and C++: a sendwright_schedule of this name, and those it links to
  std::vector<std::string> comment; ///< who sends what to whom
};

/// The schedule of the redistribute directive with this number in `meant`, starting from what the
/// preceding directive in the text says. Nothing where something is not constant, where there are
/// more messages than a reader can survey, or where the directive asks for an order other than the
/// asynchronous one.
std::optional<ScheduleTable> scheduleTable(const MeantDirectives &meant, std::size_t directive,
                                           const DirectiveConstants &constants,
                                           const std::string &name);

/// The same for what the plan, for any number of ranks, says about the directive `site`.
std::optional<ScheduleTable> plannedSchedules(const MeantDirective &directive,
                                              const SiteIdentity &site, const Plan &plan,
                                              const std::string &name);

} // namespace sendwright

#endif
