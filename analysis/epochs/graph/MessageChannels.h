// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching for graphs of a hundred million calls. On a channel messages cannot overtake: one
// sender, receiver, communicator and tag. The channel of all equal calls is looked up once; then
// the n-th receive of a channel takes its n-th message, and matching costs four bytes for each
// message. Only receives of any tag search the channels of their pair of ranks.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_MESSAGECHANNELS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_MESSAGECHANNELS_H

#include "analysis/epochs/graph/CommunicationGraph.h"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

struct MessageChannel {
  std::uint32_t sender = 0, receiver = 0, communicator = 0;
  int tag = 0; ///< anyTag: receives that take the next message of any channel of the pair
  auto operator<=>(const MessageChannel &) const = default;
};

class MessageChannels {
public:
  /// A number from 0, equal for equal channels. Logarithmic in the channels.
  std::uint32_t number(const MessageChannel &channel);

  std::size_t size() const { return channels.size(); }
  const MessageChannel &operator[](std::uint32_t number) const { return channels[number]; }

  /// Matches messages. On entry `graph.link` holds the channel of each send and receive; on return,
  /// the other end of the message, or noNode. Linear, except that a receive of any tag looks at all
  /// channels of its pair.
  void match(CommunicationGraph &graph);

private:
  void collectSends(const CommunicationGraph &graph);
  Node takeAnyTag(const MessageChannel &channel);

  std::vector<MessageChannel> channels;
  std::map<MessageChannel, std::uint32_t> numbers;
  std::vector<Node> sends;               // by channel, in program order
  std::vector<std::uint64_t> next, ends; // by channel, into `sends`
};

} // namespace sendwright

#endif
