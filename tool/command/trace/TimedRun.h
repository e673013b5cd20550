// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each call of a run begins and ends, as recorded or as simulated: what other tools draw.
//
// A profile keeps mean times, so a recorded message may seem to arrive before it is sent. The times
// are corrected as by a controlled logical clock (R. Rabenseifner, The Controlled Logical Clock,
// 1997), forwards only: a call that receives a message ends after the call that sends it has begun.
// The rank's later calls keep their times unless they would begin before their predecessor ends.

#ifndef SENDWRIGHT_TOOL_COMMAND_TRACE_TIMEDRUN_H
#define SENDWRIGHT_TOOL_COMMAND_TRACE_TIMEDRUN_H

#include "analysis/replay/RunSimulation.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// Nanoseconds since the run began. A call takes at least one; other events may take none.
struct EventTimes {
  std::uint64_t begin = 0, end = 0;
};

/// A message, as an arrow from one call to another.
struct MessageTimes {
  std::uint64_t sent = 0;     ///< the begin of the call that sends
  std::uint64_t received = 0; ///< the last nanosecond of the call that completes the receive
};

class TimedRun {
public:
  /// The run as recorded; calls like each other take equally long. `name` is for messages. Both
  /// throw FormatError if the run takes longer than a thousand million seconds. `timeline` must
  /// outlive this object. Linear in the timeline: 16 bytes an event, 16 a message.
  static TimedRun recorded(const Timeline &timeline, const std::string &name);
  /// The run as simulated. Ranks that are stuck have fewer events than in the timeline.
  static TimedRun simulated(const Timeline &timeline, const RunRecord &record,
                            const std::string &name);

  /// The events of a rank, by position. Each begins when its predecessor has ended, or later.
  const std::vector<EventTimes> &of(std::size_t rank) const { return ranks[rank]; }
  /// The end of the last event.
  std::uint64_t end() const;
  /// Whether both ends of the message are in the run, and the second is not before the first: true
  /// for all matched messages but those of ranks that wait for one another forever.
  bool isShown(const MatchedMessage &message) const;
  /// The times of such a message.
  MessageTimes timesOf(const MatchedMessage &message) const;

private:
  explicit TimedRun(const Timeline &timeline) : timeline(timeline), ranks(timeline.ranks.size()) {}
  void orderByCause();

  const Timeline &timeline;
  std::vector<std::vector<EventTimes>> ranks;
};

/// Where a message was received: at the call that completed the receive, or if there is none, at
/// the call that posted it.
inline std::uint32_t takenAt(const MatchedMessage &message) {
  return message.completion != noPosition ? message.completion : message.receive.position;
}

/// True for events that are drawn: calls, and directives that move arrays.
inline bool isDrawn(const Event &event) {
  return event.kind == EventKind::Call || event.kind == EventKind::Redistribution;
}

} // namespace sendwright

#endif
