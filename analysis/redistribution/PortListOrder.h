// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of messages for any pattern: a list schedule of an open shop, whose machines are the
// ports of senders and receivers. Whenever a sender and a receiver with a message between them are
// both free, it starts; the port with the largest load left chooses first, and chooses the other
// end with the largest load left. No message waits while both of its ends are idle, so the message
// that ends last has, until it started, kept waiting by its sender's load or its receiver's: less
// than twice the largest load.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PORTLISTORDER_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_PORTLISTORDER_H

#include "analysis/redistribution/AsynchronousOrder.h"

namespace sendwright {

/// The orders of the remote messages at each port of `ranks` ranks. Deterministic. O(m d) for m
/// messages with at most d a port.
PortOrders orderByRemainingLoad(const std::vector<Message> &messages, int ranks);

} // namespace sendwright

#endif
