// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epochs and super epochs of an analysed run, one by one, for people and programs; and the
// communication graph of one epoch, laid out for a drawing.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHLIST_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHLIST_H

#include "analysis/epochs/EpochAnalysis.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// What one rank does in an epoch: the nodes `first` to `last`.
struct EpochRank {
  std::uint32_t rank = 0;
  Node first = 0, last = 0;
  std::uint64_t eventsBefore = 0; ///< sends and receives of the rank before the epoch
  std::uint64_t events = 0;       ///< in the epoch; 0: the rank only waits in it
};

/// An epoch that sends a message. Others, such as a wait alone, are not listed.
struct ListedEpoch {
  bool isComplex = false;
  std::uint32_t superEpoch = 0;
  std::uint64_t messages = 0; ///< sent in it
  std::vector<EpochRank> ranks;
};

struct ListedSuperEpoch {
  std::uint64_t epochs = 0, complexEpochs = 0, messages = 0;
  std::vector<std::uint32_t> ranks; ///< that take part in its epochs, ascending
};

struct EpochList {
  std::vector<ListedEpoch> epochs; ///< each comes after those that it waits for
  std::vector<ListedSuperEpoch> superEpochs;
};

/// Lists the epochs of a run. Throws FormatError, beginning with `name`, if there are more than
/// limits::listedEpochs allows. Linear in the graph.
EpochList listEpochs(const EpochAnalysis &analysis, const std::string &name);

/// The epoch that is worth a drawing: the complex epoch with the most messages, or if no epoch is
/// complex, the epoch with the most messages; the first of several. Nothing if there is no epoch.
std::optional<std::size_t> largestEpoch(const EpochList &list);

struct EpochVertex {
  Node node = 0;
  std::uint32_t row = 0;    ///< index into EpochDrawing::ranks
  std::uint32_t column = 0; ///< from 0; after those of the node before it on its rank, and, for a
                            ///< blocking receive, of its send
};

struct EpochArc {
  std::uint32_t from = 0, to = 0; ///< indices into EpochDrawing::vertices
  bool isMessage = false;         ///< otherwise it is the program's order
};

/// The communication graph of one epoch. Messages to and from other epochs have no arcs.
struct EpochDrawing {
  std::vector<std::uint32_t> ranks;  ///< ascending
  std::vector<EpochVertex> vertices; ///< rank after rank, in the program's order
  std::vector<EpochArc> arcs;
  std::uint32_t columns = 0;
};

/// How many vertices the drawing of an epoch has. Linear in its ranks.
std::uint64_t verticesOf(const ListedEpoch &epoch);

/// Lays out the graph of an epoch: columns are the longest paths to each node. O(n log n) for n
/// vertices.
EpochDrawing drawEpoch(const CommunicationGraph &graph, const ListedEpoch &epoch);

/// What a node is, for a person: "rank 3: MPI_Send to rank 4 at app.c:12". Not escaped.
std::string nodeText(const Profile &profile, const CommunicationGraph &graph, Node node);

} // namespace sendwright

#endif
