// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A redistribution whose sizes are known is scheduled here, be it that they are constants or that
// the profile shows them: as a table for the runtime, which uses it where it fits, and as one that
// a person reads.

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
  std::string definition; ///< C and C++: a struct sendwright_schedule of the given name, and others
                          ///< that follow it
  std::vector<std::string> comment; ///< who sends what to whom
};

/// The schedule of a redistribute directive of `meant`, by its number, from what the directive that
/// precedes it in the text says; nothing where something is not constant, where messages are more
/// than a reader can look at, or where an order other than the asynchronous one is asked for.
std::optional<ScheduleTable> scheduleTable(const MeantDirectives &meant, std::size_t directive,
                                           const DirectiveConstants &constants,
                                           const std::string &name);

/// The same for what the plan, of whatever rank counts, says of the directive `site`.
std::optional<ScheduleTable> plannedSchedules(const MeantDirective &directive,
                                              const SiteIdentity &site, const Plan &plan,
                                              const std::string &name);

} // namespace sendwright

#endif
