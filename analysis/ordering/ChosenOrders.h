// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the patterns of one loop into the order in which each rank sends, and predicts the gain.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_CHOSENORDERS_H
#define SENDWRIGHT_ANALYSIS_ORDERING_CHOSENORDERS_H

#include "analysis/machine/Machine.h"
#include "analysis/ordering/Phases.h"
#include "analysis/ordering/PlannedOrders.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// How receivers are ranked.
enum class OrderKey : std::uint8_t {
  Published,   ///< W + the sends that follow, up to the next synchronisation
  CriticalPath ///< the longest chain that follows, on any ranks (Tail::path)
};

/// Which order of small messages is taken where the key leaves a choice. The model knows of one
/// phase and of its last rank only, so the given order may be as good there and worse in the run.
enum class EqualOrders : std::uint8_t {
  Given,     ///< the given order if none is better; else as FewMeet
  FewMeet,   ///< one in which few messages meet at a receiver (DeadlineOrder.h)
  Descending ///< receivers by key; those with equal keys in the given order
};

/// The order of one loop.
struct LoopOrdering {
  std::vector<OrderingFigures> figures;       ///< one for each pattern
  std::vector<std::vector<SendOrder>> orders; ///< by rank; most frequent first
  double given = 0, planned = 0;              ///< seconds over all phases of all patterns
  double overlapLost = 0; ///< likewise; computation between sends, which would delay them
  std::uint64_t phases = 0;
};

/// Decides on the patterns of one loop (in the order of findPatterns()).
///
/// Small messages are sent by key, W + the sends that follow, descending (KeyedOrder.h). Where this
/// leaves a choice, `equal` decides.
///
/// Messages are large if the mean message takes longer on the link than it costs otherwise: G *
/// bytes > L + o_send + o_recv. The staggered order is used for large messages if the port model
/// predicts that it is at least as fast, with one message in flight at a time. The given order is
/// kept if it is as fast as both. Non-blocking sends in the given order collide at their receivers
/// by the machine's incast factors, if these were measured.
///
/// Work counts only if it tells the ranks apart: if it differs between ranks by more than one send
/// and by more than twice its uncertainty. Otherwise all ranks get the same work, or zero if it is
/// less than one send.
///
/// If a rank has the same destinations in several patterns, the runtime cannot tell them apart:
/// their keys are averaged.
///
/// The same holds for OrderKey::CriticalPath, except for the rules on work: the path contains all
/// work.
LoopOrdering chooseOrders(const std::vector<Pattern> &patterns, const Machine &machine,
                          OrderKey key = OrderKey::Published,
                          EqualOrders equal = EqualOrders::Given);

} // namespace sendwright

#endif
