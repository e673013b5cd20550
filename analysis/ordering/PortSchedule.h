// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order for large messages of unequal sizes: a list schedule of the port model.
//
// Rounds (StaggeredOrder.h) are as long as their longest message, so that they waste ports where
// sizes differ. Here the phase is an open shop, senders and receivers the machines, messages the
// operations: whenever a sender and a receiver are both free and have a message for each other, it
// starts, the busiest ports first. No port is idle while it could work, so that without tails the
// schedule takes less than twice the optimum: the sender and the receiver of the message that ends
// last have, one or the other, been at work until it started.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PORTSCHEDULE_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PORTSCHEDULE_H

#include "analysis/ordering/PortModel.h"

namespace sendwright {

/// Per sender the indices of its messages in the order of the schedule; messages of one pair of
/// ranks keep theirs. `tail` as in portCompletion(): a receiver with more to do afterwards counts
/// as busier. Deterministic. O(m d) for m messages of ranks with at most d messages each way.
std::vector<std::vector<std::uint32_t>>
schedulePorts(const SizedLists &messages, const std::vector<double> &tail, const PortCosts &costs);

} // namespace sendwright

#endif
