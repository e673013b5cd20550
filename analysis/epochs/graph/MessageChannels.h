// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching for graphs of a hundred million calls. A channel is what messages cannot overtake on:
// one sender, receiver, communicator and tag. Which channel a call uses is looked up once for all
// equal calls; then the n-th receive of a channel takes its n-th message, and matching costs four
// bytes a message. Only receives of any tag look through the channels of their pair.

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
  int tag = 0; ///< anyTag: of receives that take the next message of any channel of the pair
  auto operator<=>(const MessageChannel &) const = default;
};

class MessageChannels {
public:
  /// A number from 0, the same for equal channels. Logarithmic in the channels.
  std::uint32_t number(const MessageChannel &channel);

  /// Matches: `graph.link` holds the channel of each send and receive, and gets the other end of
  /// the message; noNode where there is none. Linear, but for receives of any tag: each looks at
  /// all channels of its pair.
  void match(CommunicationGraph &graph);

private:
  void collectSends(const CommunicationGraph &graph);
  Node takeAnyTag(const MessageChannel &channel);

  std::vector<MessageChannel> channels;
  std::map<MessageChannel, std::uint32_t> numbers;
  std::vector<Node> sends;               // by channel, in program order
  std::vector<std::uint64_t> next, ends; // per channel, into `sends`
};

} // namespace sendwright

#endif
