// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run as it goes if there are buffers for every message: what must have happened before what.
//
// For each message this tells how far its receiver is known to be when it is sent: the last node of
// the receiver from which a path leads to the send (in the literature, the receive's terminal
// communication dependency). From there until its receive is posted, the message may lie in a
// buffer of the receiver.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_UNBOUNDEDEXECUTION_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_UNBOUNDEDEXECUTION_H

#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/epochs/graph/SparseClocks.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sendwright {

/// By node. For a receive, how many nodes of its rank are known to be done when its message is
/// sent, or noDependency if the message never lies in a buffer. Undefined for other nodes.
using Dependencies = std::vector<std::uint32_t>;
inline constexpr std::uint32_t noDependency = UINT32_MAX;

/// What each rank knows of the others: where one part of a run ends, and the next goes on.
struct RankKnowledge {
  explicit RankKnowledge(std::uint32_t ranks) : clocks(ranks), clockOf(ranks) {}
  SparseClocks clocks;
  std::vector<ClockId> clockOf; ///< by rank
};

/// Executes the graph with unlimited buffers. `visit` gets every node once it is done; a receive
/// that waited comes just before its send. Throws FormatError, at the place that `locate` names, if
/// the run cannot have happened. Linear in the graph, except for the clocks: see SparseClocks.
Dependencies executeUnbounded(const CommunicationGraph &graph, const Profile &profile,
                              const TraceLocation &locate, const std::function<void(Node)> &visit);

/// The same for the next part of a run (RunParts.h). `knowledge` is what ranks know before it, and
/// on return, behind it. Places in messages of errors are undefined.
Dependencies executeUnbounded(const CommunicationGraph &graph, const Profile &profile,
                              const TraceLocation &locate, const std::function<void(Node)> &visit,
                              RankKnowledge &knowledge);

} // namespace sendwright

#endif
