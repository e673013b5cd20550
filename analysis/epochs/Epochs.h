// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epochs: the strongly connected components of the communication graph when no message is buffered.
// Nodes of one epoch wait for one another in a circle, so its messages need buffers; an epoch of
// one message (a simple one) needs none. Epochs come in an order in which they can be executed.
//
// R. Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972) over the arcs to
// predecessors, with a stack of its own. It is started at nodes in the order of an execution, so
// that what lies before is mostly known and the stack stays short.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHS_H

#include "analysis/epochs/CommunicationGraph.h"

#include <cstdint>
#include <vector>

namespace sendwright {

struct Epochs {
  /// Representatives, epoch after epoch, every epoch after those that it waits for. The first of
  /// each carries firstOfEpoch.
  std::vector<Node> order;
  std::vector<std::uint32_t> epochOf; ///< per representative (nodes and collectives): from 0

  static constexpr std::uint32_t firstOfEpoch = 1U << 31;

  /// Calls `visit(begin, end)` with the places of each epoch in `order`.
  template <typename Visit> void forEach(Visit visit) const {
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t end = begin + 1;
      while (end < order.size() && !(order[end] & firstOfEpoch))
        ++end;
      visit(begin, end);
      begin = end;
    }
  }
};

class EpochFinder {
public:
  explicit EpochFinder(const CommunicationGraph &graph);
  /// Finds the epochs of `node` and of all that it waits for. Linear over all calls; the stack
  /// holds the longest path that no earlier call has seen, twelve bytes a node.
  void visit(Node node);
  /// After every node was visited.
  Epochs take() { return std::move(epochs); }

private:
  struct Frame {
    Node node;
    std::uint32_t arc, index;
  };

  void open(Node representative);
  void close(const Frame &frame);

  const CommunicationGraph &graph;
  Epochs epochs;
  std::uint32_t epochCount = 0, nextIndex = 0;
  std::vector<Frame> path;
  std::vector<Node> component; // nodes whose epoch is not complete
};

/// The representative of the arc-th predecessor of a representative when nothing is buffered, or
/// noNode behind the last. A predecessor may come twice. Constant, but for waits: linear in `arc`.
Node predecessor(const CommunicationGraph &graph, Node representative, std::uint32_t arc);

} // namespace sendwright

#endif
