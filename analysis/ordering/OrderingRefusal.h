// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the sends of a loop keep their order.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_ORDERINGREFUSAL_H
#define SENDWRIGHT_ANALYSIS_ORDERING_ORDERINGREFUSAL_H

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/transformation/LeaveReason.h"

#include <cstdint>
#include <string>

namespace sendwright {

/// The conditions that can fail, in the order in which they are checked. In backquotes: the facts
/// of OrderingRefusal that the sentence needs.
enum class OrderingObstacle : std::uint8_t {
  // A batch around the loop would hold no messages to order.
  ReceivesOnly,      ///< it only receives
  SynchronousSends,  ///< its sends are synchronous: `function`
  WaitsForReply,     ///< it receives or waits between its sends: `function`
  OtherGroup,        ///< it sends on an intercommunicator
  BeyondAnalysis,    ///< its sends lie beyond the calls that were looked at
  InAnotherBatch,    ///< its sends leave with those of the loop at `place`
  OneDestination,    ///< one destination in each execution
  EachSendAwaited,   ///< each send is waited for before the next: `function`
  SeparatedSends,    ///< `function` between its sends ends the batch
  RefusedByCompiler, ///< the compiler would leave it: `problem`
  // The order does not pay by its own model.
  AlreadyOptimal, ///< the order as given is optimal: `figures`
  NoFasterOrder,  ///< no order is faster than the one given: `figures`
  OverlapLost,    ///< `limit` seconds of overlap would be lost, and `gain` seconds gained
  BelowThreshold, ///< it gains `gain` percent, less than `limit` percent: `figures`
  InNoPhase       ///< no phase of communication has its messages
};
inline constexpr OrderingObstacle lastOrderingObstacle = OrderingObstacle::InNoPhase;

/// The first condition that fails, and the facts that its sentence needs.
struct OrderingRefusal {
  OrderingObstacle obstacle = OrderingObstacle::ReceivesOnly;
  MpiFunctionId function = {};
  std::string place = {};       ///< "app.c:40"
  std::string problem = {};     ///< part of a sentence, from the compiler (LoopFacts::refusal)
  OrderingFigures figures = {}; ///< of the phase in which the order gains most
  double gain = 0;
  double limit = 0; ///< that the gain was compared with
};

/// A sentence for the plan: "one destination in each execution".
std::string textOf(const OrderingRefusal &refusal);

/// The kind of reason that it is in a table of all loops.
LeaveReason leaveReasonOf(const OrderingRefusal &refusal);

/// "max c'_p 38 instead of 40, at least 38" or "max c'_p stays 40", for large messages in predicted
/// time: the part that sentences about any order have in common.
std::string changeText(const OrderingFigures &figures);

} // namespace sendwright

#endif
