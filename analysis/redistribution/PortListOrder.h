// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of messages at ports, for any pattern.
//
// By remaining load: a list schedule of an open shop, whose machines are the ports of senders and
// receivers. Whenever a sender and a receiver with a message between them are both free, the
// message starts. The port with the largest remaining load chooses first, and chooses the other end
// with the largest remaining load. No message waits while both of its ends are idle, so until the
// last message started, its sender or its receiver was always busy: the makespan is less than twice
// the largest load.
//
// By rounds: an edge colouring (StaggeredOrder.h), without waiting between the rounds. Better if
// sizes are nearly equal and everyone has something for everyone.
//
// By sizes: first rounds of the messages that are about as large as the largest, then rounds of the
// messages about as large as the largest remaining, and so on. Messages of one size need only as
// many rounds as a port has of them (Koenig). So the bound is reached if every port has equally
// many messages of each size, as from cyclic(k) to cyclic(l), although no port may ever be idle.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PORTLISTORDER_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PORTLISTORDER_H

#include "analysis/redistribution/AsynchronousOrder.h"

namespace sendwright {

/// The order of the remote messages at each port of `ranks` ranks. Deterministic. O(m d) for m
/// messages with at most d at a port.
PortOrders orderByRemainingLoad(const std::vector<Message> &messages, int ranks);

/// Near m log m in practice.
PortOrders orderByRounds(const std::vector<Message> &messages, int ranks);

/// As orderByRounds(), and O(ranks) for each size, of which there are at most six between one power
/// of two and the next.
PortOrders orderBySizes(const std::vector<Message> &messages, int ranks);

} // namespace sendwright

#endif
