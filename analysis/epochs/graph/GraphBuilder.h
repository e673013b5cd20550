// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the communication graph of a run, or of one part of it after another. Walks through each
// rank's calls once: a call becomes the nodes of its type, and requests are followed from the call
// that posts them to the call that completes them. Then messages are matched, and calls of
// collectives are joined by counting.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_GRAPHBUILDER_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_GRAPHBUILDER_H

#include "analysis/epochs/graph/CollectiveSequences.h"
#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/epochs/graph/EventShapes.h"
#include "analysis/epochs/graph/MessageChannels.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sendwright {

class GraphBuilder {
public:
  /// Both must outlive this object. Throws like whole().
  GraphBuilder(const Profile &profile, const TraceLocation &locate);
  GraphBuilder(const GraphBuilder &) = delete;
  GraphBuilder &operator=(const GraphBuilder &) = delete;

  const EventShapes &eventShapes() const { return shapes; }
  const MessageChannels &messageChannels() const { return channels; }
  const CollectiveSequences &collectiveSequences() const { return collectives; }

  /// The whole run, as buildCommunicationGraph() describes it. To be called once, and no other
  /// function after it.
  CommunicationGraph whole();

  /// The next part of the run: `events` are, by rank, the numbers of the events that have nodes.
  /// Nothing may cross the parts' borders (RunParts.h). In each part every rank begins with a start
  /// node, which stands for everything before; positions count the nodes of all parts. The result
  /// is valid until the next call. Linear in the part, the ranks and the channels. Throws like
  /// whole(), except that places in the messages are undefined.
  const CommunicationGraph &part(const std::vector<std::vector<std::uint32_t>> &events);

private:
  void begin(std::uint32_t rank);
  Node add(std::uint32_t type, std::uint32_t link);
  void addCall(std::uint32_t rank, const Event &event, const EventShape &shape);
  void post(const Event &event, Node node);
  void endRequests(std::uint32_t rank, const Event &event, const EventShape &shape);
  void settle(std::uint32_t rank, Node node, const WildcardMatch &match);
  void cancel(Node node);
  void finish();
  [[noreturn]] void failUnmatched(Node node) const;

  const Profile &profile;
  const TraceLocation &locate;
  CommunicationGraph graph;
  MessageChannels channels;
  CollectiveSequences collectives;
  EventShapes shapes;
  std::vector<std::uint32_t> done;    // by rank: nodes of earlier parts
  std::vector<Node> cancelled;        // ascending
  std::unordered_map<int, Node> open; // requests of the current rank
};

} // namespace sendwright

#endif
