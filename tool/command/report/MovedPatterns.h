// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who moved how much to whom in the redistributions of a run, from what each rank recorded at its
// calls. A profile has the blocks of one-dimensional arrays only (RecordedRedistribution); these
// patterns are there for arrays of any dimension.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_MOVEDPATTERNS_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_MOVEDPATTERNS_H

#include "analysis/machine/Machine.h"
#include "analysis/redistribution/Messages.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

struct MovedPattern {
  std::string place;     ///< of the directive, for people: "app.c:12"
  std::size_t ranks = 0; ///< of the communicator
  std::vector<Message>
      messages;            ///< between its ranks, by sender and receiver; an element is a byte
  std::uint64_t count = 0; ///< how often in the timeline
};

/// By place, then in the order in which they first happened. Messages that only one end recorded
/// are left out. Linear in the timeline, with a logarithm for the patterns.
std::vector<MovedPattern> movedPatterns(const Profile &profile, const Timeline &timeline,
                                        const Machine &machine);

} // namespace sendwright

#endif
