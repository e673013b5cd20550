// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a loop that looks like a collective operation runs as written.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVEREFUSAL_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVEREFUSAL_H

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/run/CircularWait.h"
#include "analysis/run/MatchingConflicts.h"

#include <cstdint>
#include <string>

namespace sendwright {

/// The conditions that can fail, in the order in which they are checked. In backquotes: the facts
/// of CollectiveRefusal that the sentence needs.
enum class CollectiveObstacle : std::uint8_t {
  // The source or the run shows that the loop is no collective operation (ConfirmedCollectives.h).
  RefusedBySource,       ///< its unit says why: `problem`
  SeveralInstantiations, ///< several instantiations of its template send
  PartOfAnotherLoop,     ///< its messages are some of the messages of the loop at `place`
  CallsOfAnotherLoop,    ///< the loop at `place` has the same calls
  NotReceived,           ///< `rank` does not receive all its messages
  ReceivedElsewhere,     ///< another receive, at `place`, takes its messages
  NotSent,               ///< `rank` receives messages whose sends are not in the profile
  SentElsewhere,         ///< its receives take messages that are sent at `place`
  OtherSendFunction,     ///< it sends by `function`, not in standard mode
  OtherReceiveFunction,  ///< its messages are received by `function`
  ReceiveFromAnySource,  ///< a receive from any source at `place` takes its messages
  ReceiveOfAnyTag,       ///< a receive of any tag at `place` takes its messages
  CallsOutsideLoop,      ///< its calls are not in the loop itself
  SeveralCommunicators,  ///< it sends on more than one communicator
  NoMessages,            ///< the profile shows no message of it
  OtherGroup,            ///< it sends on an intercommunicator
  SeveralTags,           ///< its messages have different tags, `least` to `most`
  SeveralRoots,          ///< its root is `rank` in some executions, and `otherRank` in others
  RootOutside,           ///< its root `rank` is not in its communicator
  TooFewRanks,           ///< its communicator has fewer than two distinct ranks
  UnequalExecutions, ///< `rank` takes part in `count` executions, and `otherRank` in `otherCount`
  MessageLacking,    ///< in one execution `rank` sends nothing to `otherRank`
  MessageToItself,   ///< in one execution `rank` sends to itself
  MessageRepeated,   ///< in one execution `rank` sends several messages to `otherRank`
  UnequalBlocks,     ///< in one execution its blocks have `count` to `otherCount` bytes
  OtherCallInLoop,   ///< `function` at `place` is in the loop, too
  MetByAnotherCall,  ///< another call could meet its messages: `conflict`
  CircularWait,      ///< ranks would wait for one another in a circle: `wait`
  // No schedule pays by its own model.
  NoFasterSchedule, ///< no schedule is faster than the loop: `prediction`
  BelowThreshold,   ///< it gains less than `limit` percent: `prediction`
  AnotherGainsMore  ///< another transformation of the loop gains `limit` seconds: `prediction`
};
inline constexpr CollectiveObstacle lastCollectiveObstacle = CollectiveObstacle::AnotherGainsMore;

/// The first condition that fails, and the facts that its sentence needs.
struct CollectiveRefusal {
  CollectiveObstacle obstacle = CollectiveObstacle::NoMessages;
  std::string problem = {}; ///< part of a sentence (CollectiveSummary.h)
  MpiFunctionId function = {};
  std::string place = {};               ///< "app.c:40"; "" if unknown
  std::int64_t rank = 0, otherRank = 0; ///< world ranks
  std::uint64_t count = 0, otherCount = 0;
  int least = 0, most = 0;
  MatchingConflict conflict = {};
  CircularWait wait = {};
  CollectivePrediction prediction = {};
  double limit = 0; ///< that the gain was compared with
};

/// Part of a sentence: "its root is now rank 0 and now rank 2".
std::string textOf(const CollectiveRefusal &refusal);

} // namespace sendwright

#endif
