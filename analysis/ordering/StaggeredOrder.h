// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order for large messages: in each round a rank sends to one rank and receives from one rank.
//
// Large messages to one receiver do not overlap: they share its link, and on a switched network
// they overflow the queue in front of it. If every rank sorts its list by the same key, all ranks
// turn to the same receiver first. Here the messages are the edges of a bipartite multigraph, with
// senders on one side and receivers on the other. Its edges are coloured so that no two edges at a
// rank have the same colour; a colour is a round. As many rounds as the busiest rank has messages
// are always enough (D. Koenig, 1916).

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_STAGGEREDORDER_H
#define SENDWRIGHT_ANALYSIS_ORDERING_STAGGEREDORDER_H

#include <cstdint>
#include <vector>

namespace sendwright {

struct SizedMessage {
  int destination = 0;
  std::uint64_t bytes = 0;
};

/// For each sender its messages, in the order given. Destinations are below size().
using SizedLists = std::vector<std::vector<SizedMessage>>;

struct StaggeredOrder {
  std::uint32_t rounds = 0; ///< the largest number of messages that one rank sends or receives
  std::vector<std::vector<std::uint32_t>> round; ///< of each message, in the shape of the input
  std::vector<std::vector<std::uint32_t>> order; ///< by sender: indices of its messages, by round
};

/// Heavier messages get earlier rounds; ties go to the message whose receiver has the larger key
/// (an entry for each rank), then to the nearest receiver above the sender. If everyone sends to
/// everyone with equal sizes and keys, the result is the rotation: in round r rank p sends to p + r
/// + 1.
///
/// Messages are placed in this order, each into the first round in which both of its ends are free.
/// If there is no such round, two rounds, each free at one end, are swapped along the alternating
/// path that starts at the other end (A. B. Kempe, 1879). O(m n) at worst for m messages of n
/// ranks, near m log m in practice; memory O(m).
StaggeredOrder staggerMessages(const SizedLists &messages, const std::vector<double> &key);

} // namespace sendwright

#endif
