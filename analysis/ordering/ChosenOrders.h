// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the patterns of one loop to the order in which each rank sends, and what it is worth.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_CHOSENORDERS_H
#define SENDWRIGHT_ANALYSIS_ORDERING_CHOSENORDERS_H

#include "analysis/machine/Machine.h"
#include "analysis/ordering/Phases.h"
#include "analysis/ordering/PlannedOrders.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// By what receivers are ranked.
enum class OrderKey : std::uint8_t {
  Published,   ///< W + the sends that follow, up to the next synchronisation
  CriticalPath ///< the longest chain that follows, of any ranks (Tail::path)
};

/// The order of one loop.
struct LoopOrdering {
  std::vector<OrderingFigures> figures;       ///< one per pattern
  std::vector<std::vector<SendOrder>> orders; ///< per rank, the most frequent first
  double given = 0, planned = 0;              ///< seconds over all phases of all patterns
  double overlapLost = 0; ///< likewise; computation between sends that would delay them
  std::uint64_t phases = 0;
};

/// Decides on the patterns of one loop (in the order of findPatterns()).
///
/// Small messages are sent by key, W + the sends that follow, descending (KeyedOrder.h), and
/// within what that leaves open so that few meet at a receiver (DeadlineOrder.h).
/// Messages are large when one takes longer on the link than it costs otherwise, G * bytes > L +
/// o_send + o_recv for the mean message; then the staggered order is taken where the port model
/// predicts that it is at least as fast, and one message is in flight at once. An order as given
/// that is as fast as both is kept. Non-blocking sends as given collide at their receivers by the
/// machine's incast factors, where these were measured.
///
/// Work counts only where it tells the ranks apart: when it differs between ranks by more than one
/// send and by more than twice its uncertainty. Otherwise it is the same for all, and nothing where
/// it is less than one send.
///
/// Where one rank has the same destinations in several patterns, the runtime cannot tell them
/// apart: the keys are averaged over them.
///
/// By the critical path all of this holds, but for what is said of work: the path has all of it.
LoopOrdering chooseOrders(const std::vector<Pattern> &patterns, const Machine &machine,
                          OrderKey key = OrderKey::Published);

} // namespace sendwright

#endif
