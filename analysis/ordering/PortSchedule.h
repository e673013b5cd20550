// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order for large messages of unequal sizes: a list schedule of the port model.
//
// A round (StaggeredOrder.h) is as long as its longest message, so rounds waste ports if sizes
// differ. Here the phase is an open shop: senders and receivers are machines, messages are
// operations. Whenever a sender and a receiver with a message between them are both free, the
// message starts; the busiest ports go first. No port is idle while it could work: until the last
// message started, its sender or its receiver was always busy. So without tails the schedule takes
// less than twice the optimum.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PORTSCHEDULE_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PORTSCHEDULE_H

#include "analysis/ordering/PortModel.h"

namespace sendwright {

/// For each sender the indices of its messages in the order of the schedule; messages of one pair
/// of ranks keep their order. `tail` as in portCompletion(): a receiver with more to do afterwards
/// counts as busier. Deterministic. O(m d) for m messages of ranks with at most d messages each
/// way.
std::vector<std::vector<std::uint32_t>>
schedulePorts(const SizedLists &messages, const std::vector<double> &tail, const PortCosts &costs);

} // namespace sendwright

#endif
