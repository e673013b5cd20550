// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each rank does when: the run as recorded or as simulated, as intervals that follow one
// another.

#ifndef SENDWRIGHT_TOOL_COMMAND_REPORT_RANKACTIVITY_H
#define SENDWRIGHT_TOOL_COMMAND_REPORT_RANKACTIVITY_H

#include "analysis/replay/RunSimulation.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sendwright {

/// In the order of the page's legend.
enum class ActivityKind : std::uint8_t {
  Computing,
  Overhead, ///< processor time for messages
  WaitingForMessage,
  WaitingForReceiver,
  WaitingInCollective,
  InMpi, ///< recorded: how much of it is waiting is not known
  Ended
};
inline constexpr std::size_t activityKinds = 7;

struct ActivityInterval {
  double begin = 0, end = 0; ///< seconds
  ActivityKind kind = ActivityKind::Computing;
  std::uint32_t event = 0; ///< number of the event in the rank's profile
};

using ActivityVisitor = std::function<void(const ActivityInterval &)>;

/// Calls `visit` for each interval that is not empty, in order. Linear in the rank's events.
void visitSimulated(const Timeline &timeline, const RunRecord &record, std::size_t rank,
                    const ActivityVisitor &visit);

/// The same for the recorded run. A profile keeps mean times, so each call takes as long as calls
/// like it took on average. Visits nothing if the profile has no times.
void visitRecorded(const Timeline &timeline, std::size_t rank, const ActivityVisitor &visit);

} // namespace sendwright

#endif
