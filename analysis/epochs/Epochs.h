// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epochs: the strongly connected components of the communication graph when no message is buffered.
// Nodes of one epoch wait for one another in a circle, so its messages need buffers; an epoch of a
// single message (a simple epoch) needs no buffer. Epochs come in an executable order.
//
// R. Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972) over the arcs to
// predecessors, with an explicit stack. It starts at nodes in the order of an execution, so most
// predecessors are already known and the stack stays short.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHS_H

#include "analysis/epochs/graph/CommunicationGraph.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// Nodes of one rank that belong to one epoch. They are consecutive, because a node between two of
/// them is in their circle, too.
struct EpochPart {
  Node first = 0; ///< from nodes() on: a non-blocking collective
  Node last = 0;
};

struct Epochs {
  /// Epoch after epoch; every epoch comes after the epochs that it waits for. `first` of each
  /// epoch's first part carries firstOfEpoch. EpochWalk reads them.
  std::vector<EpochPart> parts;
  /// By epoch, in this order: whether anything in it waits for itself, directly or through others.
  /// An epoch for which this is false is one call or one message.
  std::vector<bool> circular;
  std::vector<std::uint32_t> epochOf; ///< by representative (nodes and collectives): from 0
  std::vector<std::uint32_t> ofRank;  ///< by rank: in how many epochs it has a part

  static constexpr std::uint32_t firstOfEpoch = 1U << 31;
};

class EpochFinder {
public:
  explicit EpochFinder(const CommunicationGraph &graph);
  /// Finds the epochs of `node` and of everything that it waits for. Linear over all calls; the
  /// stack holds the longest path that no earlier call has visited, twelve bytes for each node.
  void visit(Node node);
  /// To be called after visit() for every node.
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
  std::vector<std::uint32_t> partOf; // by rank: its last part
};

/// The representative of predecessor number `arc` of a representative if nothing is buffered;
/// noNode after the last. A predecessor may come twice. Constant time, for waits linear in `arc`.
Node predecessor(const CommunicationGraph &graph, Node representative, std::uint32_t arc);

} // namespace sendwright

#endif
