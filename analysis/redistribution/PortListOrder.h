// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of messages at ports for any pattern.
//
// By remaining load: a list schedule of an open shop, whose machines are the ports of senders and
// receivers. Whenever a sender and a receiver with a message between them are both free, it starts;
// the port with the largest load left chooses first, and chooses the other end with the largest
// load left. No message waits while both of its ends are idle, so the one that ends last has, until
// it started, always had its sender or its receiver at work: less than twice the largest load.
//
// By rounds: an edge colouring (StaggeredOrder.h), without waiting between the rounds. Better where
// sizes are nearly equal and everyone has something for everyone.
//
// By sizes: first rounds of the messages that are about as large as the largest, then of those
// about as large as the largest that is left, and so on. As many rounds as a port has messages of
// one size suffice for these (Koenig). So the limit is reached where every port has equally many
// messages of each size, as from cyclic(k) to cyclic(l), though no port has a moment to lose.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PORTLISTORDER_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PORTLISTORDER_H

#include "analysis/redistribution/AsynchronousOrder.h"

namespace sendwright {

/// The orders of the remote messages at each port of `ranks` ranks. Deterministic. O(m d) for m
/// messages with at most d a port.
PortOrders orderByRemainingLoad(const std::vector<Message> &messages, int ranks);

/// Near m log m in practice.
PortOrders orderByRounds(const std::vector<Message> &messages, int ranks);

/// The same, and O(ranks) for each size, of which there are at most six from one power of two to
/// the next.
PortOrders orderBySizes(const std::vector<Message> &messages, int ranks);

} // namespace sendwright

#endif
