// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A redistribution whose sizes and processors are constants is scheduled here: as a table for the
// runtime, which uses it where it fits, and as one that a person reads.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTIONTABLES_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTIONTABLES_H

#include "tool/transformations/RedistributionChecks.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The schedule of one directive.
struct ScheduleTable {
  std::string definition;           ///< C and C++: a struct sendwright_schedule of the given name
  std::vector<std::string> comment; ///< who sends what to whom
};

/// The schedule of a redistribute directive of `meant`, by its number, from what the directive that
/// precedes it in the text says; nothing where something is not constant, where messages are more
/// than a reader can look at, or where an order other than the asynchronous one is asked for.
std::optional<ScheduleTable> scheduleTable(const MeantDirectives &meant, std::size_t directive,
                                           const DirectiveConstants &constants,
                                           const std::string &name);

} // namespace sendwright

#endif
