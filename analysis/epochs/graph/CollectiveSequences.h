// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which calls of collectives belong together: the n-th call of each member of a
// communicator.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_COLLECTIVESEQUENCES_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_GRAPH_COLLECTIVESEQUENCES_H

#include "analysis/epochs/graph/CommunicationGraph.h"
#include "analysis/trace/CommunicatorNumbers.h"
#include "analysis/trace/SparseCalls.h"

#include <cstdint>
#include <vector>

namespace sendwright {

class CollectiveSequences {
public:
  /// Both must outlive this object.
  CollectiveSequences(const Profile &profile, const TraceLocation &locate);

  /// A number for the rank's communicator that means the same on all ranks. Constant time.
  std::uint32_t communicator(std::uint32_t rank, int index) const;

  /// True if the two sides of such a communicator are not told apart.
  bool isIntercommunicator(std::uint32_t number) const {
    return communicators[number].intercommunicator;
  }

  /// How many numbers of communicators there are.
  std::size_t communicatorCount() const { return communicators.size(); }

  /// The instance that the rank's next collective on this communicator belongs to. Nodes must come
  /// by ascending rank, and for each rank in its order. Throws FormatError if the members call
  /// different collectives or give different roots.
  std::uint32_t call(std::uint32_t rank, const Event &event, Node node);

  /// Forgets all instances: the graph of another part of the run begins.
  void beginPart();

  /// Enters instances and members into the graph. Throws FormatError if a rank lacks a call that
  /// others made. Text traces do not say who belongs to a communicator other than that of all
  /// ranks: there the callers count as its members.
  void finish(CommunicationGraph &graph);

private:
  struct Instance {
    std::uint32_t communicator = 0; // its number
    MpiFunctionId function = MpiFunctionId::Barrier;
    int root = noPeer;
    std::uint32_t firstRank = 0;
    std::uint32_t callers = 0;
    SparseCalls blocks = {};
  };

  void checkComplete(const CommunicationGraph &graph);
  [[noreturn]] void failDifferent(std::uint32_t rank, Node node, const Event &event,
                                  const Instance &instance);

  const Profile &profile;
  const TraceLocation &locate;
  CommunicatorNumbers communicators;
  std::vector<std::vector<std::uint32_t>> instancesOf; // by communicator
  std::vector<Instance> instances;
  std::uint32_t currentRank = 0;
  std::vector<std::uint32_t> done; // by communicator, of the current rank
};

/// The position of `node` among all events of its rank, for TraceLocation. Linear in the run.
std::uint64_t positionOf(const Profile &profile, const CommunicationGraph &graph, Node node);

} // namespace sendwright

#endif
