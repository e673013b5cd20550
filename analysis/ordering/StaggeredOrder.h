// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order for large messages: in each round a rank sends to one rank and receives from one.
//
// Large messages to one receiver do not overlap: they share its link, and on a switched network
// they overflow the queue in front of it. Where every rank sorts its list by the same key, all of
// them turn to the same receiver first. Here the messages are the edges of a bipartite multigraph,
// senders on one side and receivers on the other, and its edges are coloured so that no two at a
// rank have the same colour. A colour is a round. As many rounds as the busiest rank has messages
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

/// Per sender its messages, in the order given. Destinations are below size().
using SizedLists = std::vector<std::vector<SizedMessage>>;

struct StaggeredOrder {
  std::uint32_t rounds = 0; ///< the largest number of messages that one rank sends, or receives
  std::vector<std::vector<std::uint32_t>> round; ///< of each message, in the shape of the input
  std::vector<std::vector<std::uint32_t>> order; ///< per sender, indices of its messages by round
};

/// Heavier messages get earlier rounds, among equals those whose receiver has the larger key (an
/// entry per rank), among these the nearest receiver above the sender. Everyone to everyone with
/// equal sizes and keys is the rotation: in round r rank p sends to p + r + 1.
///
/// Messages are placed in that order into the first round in which both ends are free. Where there
/// is none, the two rounds free at one end each are exchanged along the alternating path that
/// starts at the other end (A. B. Kempe, 1879). O(m n) at worst for m messages of n ranks, in
/// practice near m log m; memory O(m).
StaggeredOrder staggerMessages(const SizedLists &messages, const std::vector<double> &key);

} // namespace sendwright

#endif
