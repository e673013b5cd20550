// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A redistribution without steps: every rank sends its messages one after another, and receives the
// messages for it one after another, each in an order of its own. A message is under way when it is
// next at both of its ends, and occupies both ends for a time proportional to its size. No port can
// finish before the total time of its messages; the largest such load T is the lower bound.
//
// Between any two distributions with one block for each rank (gen_block, block) this bound is
// reached. Call a message inner if its sender has another message to send and its receiver another
// to receive. A port's messages are consecutive along the array, and those in the middle are the
// only messages at their other ends. So a port has at most two inner messages, and inner messages
// form paths. Along each path the messages alternate: one goes first at both of its ends, the next
// goes last.
//
// T suffices: an inner message of length c runs in [0, c] if it goes first and in [T - c, T] if it
// goes last. A port has at most one message of each kind and its load is at most T, so the two do
// not overlap. Every other message is alone at one of its ends; at its other end all of these
// follow one another in between, where there is room. If ranks simply start each message as soon as
// it is next at both ends, nothing happens later than in this schedule.
//
// The proof needs only two properties: no port has more than two inner messages, and inner messages
// alternate around no odd circle. Circles of senders and receivers are always even. Other patterns
// (cyclic, two dimensions) with these properties reach the bound, too. All remaining patterns use
// the best of three orders (PortListOrder.h), which takes less than twice the bound.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_ASYNCHRONOUSORDER_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_ASYNCHRONOUSORDER_H

#include "analysis/redistribution/Messages.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// For each rank the messages that it sends, and the messages that it receives, in order: indices
/// into a list of messages. Local messages are left out.
struct PortOrders {
  std::vector<std::vector<std::uint32_t>> send, receive;
};

struct AsynchronousOrder {
  PortOrders orders;
  std::int64_t makespan = 0;   ///< elements; moving one element takes one unit of time
  std::int64_t lowerBound = 0; ///< the largest load of a port
};

/// The order described above: optimal (its makespan equals the bound) if no port has more than two
/// inner messages. Otherwise one of three orders: rounds of messages of one size, rounds of all
/// messages, or a list schedule; the first whose makespan is within a hundredth of the bound, else
/// the best. `ranks` is above every rank in `messages`; no two messages have the same source and
/// destination. Deterministic: all ranks that know the messages compute the same order. Linear in
/// the first case; otherwise near m log m in practice for m messages, and O(m d) with at most d
/// messages at a port if the list schedule is needed.
AsynchronousOrder asynchronousOrder(const std::vector<Message> &messages, int ranks);

/// The largest number of elements that a rank sends in remote messages, or receives. Linear.
std::int64_t largestPortLoad(const std::vector<Message> &messages, int ranks);

/// The time that remote messages take in the given orders if each starts when it is next at both
/// ends; nothing if messages wait for one another forever, or one is missing in an order. Linear.
std::optional<std::int64_t> asynchronousMakespan(const std::vector<Message> &messages,
                                                 const PortOrders &orders);

} // namespace sendwright

#endif
