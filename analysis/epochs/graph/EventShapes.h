// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the calls of a run become in its communication graph. Equal calls of a rank share an event,
// so kinds of nodes and channels of messages are found once for each event, whatever the number of
// its calls.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_EVENTSHAPES_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_EVENTSHAPES_H

#include "analysis/epochs/graph/CollectiveSequences.h"
#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/epochs/graph/MessageChannels.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// The nodes of all calls of one rank that share an event.
struct EventShape {
  NodeKind kinds[3] = {};
  std::uint32_t nodes = 0; ///< 0, 1, or 3 for a Sendrecv
  std::uint32_t firstType = 0;
  std::uint32_t channel = noNode; ///< of its message; for a Sendrecv, of the message that it sends
  std::uint32_t receiveChannel = noNode;
  bool wildcard = false;
};

class EventShapes {
public:
  /// Enters the types of all nodes into `types`, and all channels that are known without following
  /// the run into `channels`. All arguments must outlive this object. Throws FormatError if the run
  /// has more nodes than a graph can have. O(e log e) for e events, besides the grammars.
  EventShapes(const Profile &profile, const TraceLocation &locate,
              const CollectiveSequences &collectives, MessageChannels &channels,
              std::vector<NodeType> &types);

  const std::vector<EventShape> &ofRank(std::uint32_t rank) const { return shapes[rank]; }
  /// The type of the node with which the rank begins.
  std::uint32_t startType(std::uint32_t rank) const { return startTypes[rank]; }
  /// At least the number of nodes of the whole run.
  std::uint64_t nodes() const { return allNodes; }
  /// The channel that a receive takes its message from; noNode if only `match` will tell.
  /// Logarithmic in the channels.
  std::uint32_t receiveChannel(std::uint32_t rank, const Event &event,
                               const WildcardMatch *match) const;

private:
  EventShape shape(std::uint32_t rank, std::uint32_t index);
  void findChannels(std::uint32_t rank, const Event &event, bool sends, bool receives,
                    EventShape &result);

  const Profile &profile;
  const CollectiveSequences &collectives;
  MessageChannels &channels;
  std::vector<NodeType> &types;
  std::vector<std::vector<EventShape>> shapes; // by rank and event
  std::vector<std::uint32_t> startTypes;       // by rank
  std::uint64_t allNodes = 0;
};

} // namespace sendwright

#endif
