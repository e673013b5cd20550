// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of collectives belong together: the n-th of each member of a communicator.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_COLLECTIVESEQUENCES_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_COLLECTIVESEQUENCES_H

#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/trace/CommunicatorNumbers.h"

#include <cstdint>
#include <vector>

namespace sendwright {

class CollectiveSequences {
public:
  /// Both must outlive this.
  CollectiveSequences(const Profile &profile, const TraceLocation &locate);

  /// A number of the rank's communicator that means the same on all ranks. Constant.
  std::uint32_t communicator(std::uint32_t rank, int index) const;

  /// The instance that the rank's next collective on this communicator belongs to. Nodes come by
  /// ascending rank, and of a rank in its order. Throws FormatError where the members call
  /// different collectives or give different roots.
  std::uint32_t call(std::uint32_t rank, const Event &event, Node node);

  /// Enters instances and members into the graph. Throws FormatError where a rank lacks a call
  /// that others made. Text traces do not tell who belongs to a communicator other than that of
  /// all: there it is whoever calls.
  void finish(CommunicationGraph &graph);

private:
  struct Instance {
    std::uint32_t communicator = 0; // its number
    MpiFunctionId function = MpiFunctionId::Barrier;
    int root = noPeer;
    std::uint32_t firstRank = 0;
    std::uint32_t callers = 0;
  };

  void checkComplete(const CommunicationGraph &graph);
  [[noreturn]] void failDifferent(std::uint32_t rank, Node node, const Event &event,
                                  const Instance &instance);

  const Profile &profile;
  const TraceLocation &locate;
  CommunicatorNumbers communicators;
  std::vector<std::vector<std::uint32_t>> instancesOf; // per communicator
  std::vector<Instance> instances;
  std::uint32_t currentRank = 0;
  std::vector<std::uint32_t> done; // per communicator, of the current rank
};

/// The position of `node` among all events of its rank, for TraceLocation. Linear in the run.
std::uint64_t positionOf(const Profile &profile, const CommunicationGraph &graph, Node node);

} // namespace sendwright

#endif
