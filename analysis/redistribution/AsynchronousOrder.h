// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A redistribution without steps: every rank sends its messages one after another, and receives
// those for it one after another, each in an order of its own. A message is on its way when it is
// the next at both of its ends, and occupies both for as long as it is large. No port can be done
// before the time that its messages take together; the largest such load T is the limit.
//
// Between any two distributions with one block a rank (gen_block, block) the limit is reached. Call
// a message inner when its sender has another message to send and its receiver another to receive.
// A port's messages are consecutive along the array and those in the middle are the only ones at
// their other end, so that a port has at most two inner messages, and inner messages form paths.
// Along each path they are, in turn, the first of all messages at both of their ends, or the last.
// That T suffices: let inner messages of length c that are first run in [0, c], and those that are
// last in [T - c, T]. A port has at most one of each kind, and its load is at most T, so they do
// not overlap. All others have one end without other messages: at the other end they follow each
// other in between, where there is room. Ranks that simply start each message as soon as it is the
// next at both ends are nowhere later than this.
//
// The proof asks only that no port has more than two inner messages and that these alternate around
// no odd circle, and the circles of senders and receivers are even. Other patterns (cyclic, two
// dimensions) that have this property reach the limit, too. The rest take the best of three orders
// (PortListOrder.h), which is less than twice the limit.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_ASYNCHRONOUSORDER_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_ASYNCHRONOUSORDER_H

#include "analysis/redistribution/Messages.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// Per rank the messages that it sends, and those that it receives, first to last: indices into a
/// list of messages. Local messages are in none.
struct PortOrders {
  std::vector<std::vector<std::uint32_t>> send, receive;
};

struct AsynchronousOrder {
  PortOrders orders;
  std::int64_t makespan = 0;   ///< elements, as one element takes one unit
  std::int64_t lowerBound = 0; ///< the largest load of a port
};

/// The order described above: optimal, makespan equal to the bound, where no port has more than two
/// inner messages; otherwise rounds of messages of one size, or of all, or a list schedule: the
/// first within a hundredth of the bound, or the best. `ranks` is above every rank in `messages`,
/// of which no two have the same source and destination. Deterministic: all ranks that know the
/// messages compute the same. Linear; otherwise near m log m in practice for m messages, and O(m d)
/// with at most d a port where it comes to the list schedule.
AsynchronousOrder asynchronousOrder(const std::vector<Message> &messages, int ranks);

/// The largest number of elements that a rank sends, or receives, of remote messages. Linear.
std::int64_t largestPortLoad(const std::vector<Message> &messages, int ranks);

/// How long the remote messages take in given orders, each starting when it is the next at both
/// ends; nothing where they wait for one another forever, or one is missing in an order. Linear.
std::optional<std::int64_t> asynchronousMakespan(const std::vector<Message> &messages,
                                                 const PortOrders &orders);

} // namespace sendwright

#endif
