// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the search in ArcElimination.h: where each message is before each stage, the arcs
// that follow from this with their messages, and the load of each rank in each stage.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_STAGEDARCS_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_STAGEDARCS_H

#include "analysis/sharing/search/ArcElimination.h"

#include <span>

namespace sendwright {

class StagedArcs {
public:
  /// The other end of an arc.
  struct Neighbour {
    std::int32_t rank;
    std::uint32_t arc;
  };

  /// The pattern must outlive this object.
  StagedArcs(const ExchangePattern &pattern, const RouteTable &start, const LoadWeights &weights,
             LoadPower power);

  std::int32_t stages() const { return stageCount; }
  std::int32_t ranks() const { return pattern.ranks; }
  const std::vector<Neighbour> &receivers(std::int32_t stage, std::int32_t from) const {
    return outgoing[placeOf(stage, from)];
  }
  const std::vector<Neighbour> &senders(std::int32_t stage, std::int32_t to) const {
    return incoming[placeOf(stage, to)];
  }
  /// Empty for an arc that was removed.
  const std::vector<std::uint32_t> &messagesOf(std::uint32_t arc) const {
    return arcs[arc].messages;
  }
  /// stages() + 1 ranks.
  std::span<const std::int32_t> pathOf(std::uint32_t message) const {
    return {ranksOnPaths.data() + placeOfPath(message), static_cast<std::size_t>(stageCount) + 1};
  }
  /// The power of the largest load.
  double largestPower() const;
  /// All arcs, those with the busiest ends first.
  std::vector<std::uint32_t> byLoad() const;

  /// By how much the sum of powers would grow if these items joined an existing arc; if a new arc
  /// were added for them; and the share of one end of a new arc between nodes.
  double costOfItems(std::int32_t stage, std::int32_t from, std::int32_t to,
                     std::uint64_t items) const;
  double costOfNew(std::int32_t stage, std::int32_t from, std::int32_t to,
                   std::uint64_t items) const;
  double costOfEnd(std::int32_t stage, std::int32_t rank, bool sending, std::uint64_t items) const;

  /// Takes a message off its path and removes arcs that are empty then; puts a message onto a path.
  /// Both return by how much the sum of powers changes.
  double remove(std::uint32_t message);
  double place(std::uint32_t message, std::span<const std::int32_t> path);

  RouteTable routes() const;

private:
  struct Arc {
    std::int32_t stage, from, to;
    std::vector<std::uint32_t> messages;
  };

  std::size_t placeOf(std::int32_t stage, std::int32_t rank) const {
    return static_cast<std::size_t>(stage) * pattern.ranks + rank;
  }
  std::size_t placeOfPath(std::uint32_t message) const {
    return static_cast<std::size_t>(message) * (stageCount + 1);
  }
  std::size_t placeOfLoad(std::int32_t stage, std::int32_t bearer) const {
    return static_cast<std::size_t>(stage) * totals.size() + static_cast<std::size_t>(bearer);
  }
  /// The ports of a rank's node bear loads, too: numbered behind the ranks.
  std::int32_t portOf(std::int32_t rank, bool sending) const {
    return pattern.ranks + 2 * weights.node(rank) + (sending ? 0 : 1);
  }
  bool passesPorts(std::int32_t from, std::int32_t to) const {
    return weights.atPort && weights.node(from) != weights.node(to);
  }
  double powerOf(double load) const;
  double growth(std::int32_t stage, std::int32_t bearer, double by) const;
  double growthAtPorts(std::int32_t stage, std::int32_t from, std::int32_t to, double messages,
                       std::uint64_t items) const;
  double change(std::int32_t stage, std::int32_t bearer, double by);
  double changeBoth(const Arc &arc, double messages, double items);
  std::uint32_t add(std::int32_t stage, std::int32_t from, std::int32_t to);
  std::uint32_t find(std::int32_t stage, std::int32_t from, std::int32_t to) const;
  void drop(std::uint32_t arc);

  const ExchangePattern &pattern;
  LoadWeights weights;
  LoadPower power;
  std::int32_t stageCount;
  std::vector<Arc> arcs;
  std::vector<std::uint32_t> unused;
  std::vector<std::vector<Neighbour>> outgoing, incoming; ///< by stage and rank
  std::vector<double> totals; ///< of ranks, and of ports of nodes, over all stages
  std::vector<double> loads;  ///< by stage, likewise
  std::vector<std::int32_t> ranksOnPaths;
};

} // namespace sendwright

#endif
