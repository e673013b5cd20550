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

#include "analysis/epochs/graph/CommunicationGraph.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// Nodes of one rank that belong to one epoch. They are always consecutive, for what lies between
/// two of them is in their circle.
struct EpochPart {
  Node first = 0; ///< a number from nodes() on: a non-blocking collective
  Node last = 0;
};

struct Epochs {
  /// Epoch after epoch, every epoch after those that it waits for. `first` of the first part of
  /// each carries firstOfEpoch. EpochWalk reads them.
  std::vector<EpochPart> parts;
  /// Per epoch, in that order: whether anything in it waits for itself, directly or through others.
  /// The others are one call or one message.
  std::vector<bool> circular;
  std::vector<std::uint32_t> epochOf; ///< per representative (nodes and collectives): from 0
  std::vector<std::uint32_t> ofRank;  ///< per rank: in how many epochs it has a part

  static constexpr std::uint32_t firstOfEpoch = 1U << 31;
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
  void addParts(Node representative, std::size_t begin);

  const CommunicationGraph &graph;
  Epochs epochs;
  std::uint32_t epochCount = 0, nextIndex = 0;
  std::vector<Frame> path;
  std::vector<Node> component;       // nodes whose epoch is not complete
  std::vector<std::uint32_t> partOf; // per rank: its last one
};

/// The representative of the arc-th predecessor of a representative when nothing is buffered, or
/// noNode behind the last. A predecessor may come twice. Constant, but for waits: linear in `arc`.
Node predecessor(const CommunicationGraph &graph, Node representative, std::uint32_t arc);

} // namespace sendwright

#endif
