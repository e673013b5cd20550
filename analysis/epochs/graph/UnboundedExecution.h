// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run as it goes when there are buffers for every message: what must have happened before what.
//
// Of each message this tells how far its receiver is known to be when it is sent: the last node of
// the receiver from which a path leads to the send (in the literature the receive's terminal
// communication dependency). From there until its receive is posted the message may lie in a
// buffer of the receiver.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_UNBOUNDEDEXECUTION_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_UNBOUNDEDEXECUTION_H

#include "analysis/epochs/graph/CommunicationGraph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sendwright {

/// Per node: of a receive, how many nodes of its rank are known to be done when its message is
/// sent; noDependency where the message never lies in a buffer. Undefined for others.
using Dependencies = std::vector<std::uint32_t>;
inline constexpr std::uint32_t noDependency = UINT32_MAX;

/// Executes the graph with unlimited buffers. `visit` gets every node once it is done, a receive
/// that waited just before its send. Throws FormatError, at the place that `locate` names, where
/// the run cannot have happened. Linear in the graph, but for the clocks: see SparseClocks.
Dependencies executeUnbounded(const CommunicationGraph &graph, const Profile &profile,
                              const TraceLocation &locate, const std::function<void(Node)> &visit);

} // namespace sendwright

#endif
