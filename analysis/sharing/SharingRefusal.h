// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the messages of a send loop go directly instead of through other ranks.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHARINGREFUSAL_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHARINGREFUSAL_H

#include "analysis/run/CircularWait.h"
#include "analysis/run/MatchingConflicts.h"
#include "analysis/sharing/SharedExchanges.h"

#include <cstdint>
#include <string>

namespace sendwright {

/// The conditions that can fail, in the order in which they are checked. In backquotes: the facts
/// of SharingRefusal that the sentence needs.
enum class SharingObstacle : std::uint8_t {
  // The run shows that the loop is no complete exchange (SharableExchanges.h).
  LeftByCompiler,       ///< the compiler would leave the loop
  SynchronousSends,     ///< it has synchronous sends
  SeparatedSends,       ///< `function` between its sends ends the batch
  CallBehindSends,      ///< `function` behind its sends ends the batch
  OtherSendFunction,    ///< it sends by `function`, not in standard mode
  SeveralCommunicators, ///< it sends on more than one communicator
  NoThirdRank,          ///< its communicator has fewer than three ranks
  RankNotSeen,          ///< the profile is cut before it shows whether `rank` sends in it
  UnequalExecutions,    ///< `rank` sends in `count` executions, and `otherRank` in `otherCount`
  LargeMessages,        ///< it sends messages of `count` bytes
  OtherReceiveFunction, ///< `function` at `place` receives its messages
  ReceiveFromAnySource, ///< a receive from any source at `place` takes its messages
  ReceiveOfAnyTag,      ///< a receive of any tag at `place` takes its messages
  NotReceived,          ///< `rank` does not receive all its messages
  SeveralWithOneTag,    ///< `rank` sends several messages with `tag` to `otherRank`
  MetByAnotherCall,     ///< another call could meet its messages: `conflict`
  FewMessagesRecur,     ///< only `count` percent of its messages are in most executions
  FewUsualMessagesSent, ///< only `count` percent of the usual messages are sent
  CircularWait,         ///< ranks would wait for one another in a circle: `wait`
  // Sharing does not pay by its own model.
  TurnsWithoutMachine, ///< it serves `count` patterns in turn, and nobody named the machine
  MethodSharesNothing, ///< the method that the user named has no routes through other ranks
  NoFasterRoutes,      ///< no routes are faster: `prediction`
  CollectivesLoseMore, ///< collective calls lose more than it gains: `prediction`
  BelowThreshold,      ///< it gains less than `limit` percent: `prediction`
  FullerLinks,    ///< routes gain less than their further bytes take, `limit` seconds: `prediction`
  PolledReceives, ///< ranks poll for most of its messages, by `function` at `place`
  OverlapLost,    ///< `limit` seconds of overlap would be lost: `prediction`
  AnotherOrderGainsMore ///< the order alone gains `limit` seconds: `prediction`
};
inline constexpr SharingObstacle lastSharingObstacle = SharingObstacle::AnotherOrderGainsMore;

/// The first condition that fails, and the facts that its sentence needs.
struct SharingRefusal {
  SharingObstacle obstacle = SharingObstacle::LeftByCompiler;
  MpiFunctionId function = {};
  std::string place = {};               ///< "app.c:40"; "" if unknown
  std::int64_t rank = 0, otherRank = 0; ///< world ranks
  std::uint64_t count = 0, otherCount = 0;
  int tag = 0;
  MatchingConflict conflict = {};
  CircularWait wait = {};
  SharingPrediction prediction = {};
  double limit = 0; ///< that the gain was compared with
};

/// Part of a sentence: "it sends by MPI_Rsend".
std::string textOf(const SharingRefusal &refusal);

} // namespace sendwright

#endif
