// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/ArcElimination.h"

#include "analysis/sharing/search/StagedArcs.h"

#include <algorithm>

namespace sendwright {

namespace {

/// A rank that a message can reach before a stage, over existing arcs.
struct Reached {
  std::int32_t rank;
  std::int32_t previous; ///< an index into the ranks reached a stage before
  double cost;
};

/// The paths of one message: which ranks it reaches from its source, stage by stage, and from which
/// ranks its destination is reached.
class CheapestPath {
public:
  CheapestPath(const StagedArcs &arcs) : arcs(arcs), stages(arcs.stages()) {
    fromSource.resize(stages + 1);
    toDestination.resize(stages + 1);
    slots.assign(arcs.ranks(), -1);
  }

  /// The ranks where the message is before each stage and after the last.
  const std::vector<std::int32_t> &find(std::int32_t source, std::int32_t destination,
                                        std::uint64_t count) {
    items = count;
    reach(source, destination);
    best = -1;
    joinWithoutNewArc();
    for (std::int32_t stage = 0; stage < stages; ++stage)
      joinByNewArc(stage);
    return path;
  }

  std::uint64_t examined() const { return pathsExamined; }

private:
  void reach(std::int32_t source, std::int32_t destination) {
    fromSource[0] = {{source, -1, 0}};
    for (std::int32_t stage = 0; stage + 1 < stages; ++stage)
      extend(fromSource[stage], fromSource[stage + 1], stage, true);
    toDestination[stages] = {{destination, -1, 0}};
    for (std::int32_t stage = stages - 1; stage > 0; --stage)
      extend(toDestination[stage + 1], toDestination[stage], stage, false);
  }

  /// Extends paths by one stage, forwards or backwards, to each rank at its lowest cost.
  void extend(const std::vector<Reached> &known, std::vector<Reached> &next, std::int32_t stage,
              bool forwards) {
    next.clear();
    for (std::size_t index = 0; index < known.size(); ++index) {
      const Reached reached = known[index];
      offer(next, {reached.rank, static_cast<std::int32_t>(index), reached.cost});
      for (const StagedArcs::Neighbour &neighbour :
           forwards ? arcs.receivers(stage, reached.rank) : arcs.senders(stage, reached.rank)) {
        const std::int32_t from = forwards ? reached.rank : neighbour.rank;
        const std::int32_t to = forwards ? neighbour.rank : reached.rank;
        offer(next, {neighbour.rank, static_cast<std::int32_t>(index),
                     reached.cost + arcs.costOfItems(stage, from, to, items)});
      }
    }
    for (const Reached &reached : next)
      slots[reached.rank] = -1;
    pathsExamined += next.size();
  }

  void offer(std::vector<Reached> &next, const Reached &reached) {
    std::int32_t &slot = slots[reached.rank];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(next.size());
      next.push_back(reached);
    } else if (reached.cost < next[slot].cost) {
      next[slot] = reached;
    }
  }

  void joinWithoutNewArc() {
    const std::int32_t middle = stages - 1;
    const std::vector<Reached> &before = fromSource[middle], &after = toDestination[middle];
    for (std::size_t index = 0; index < before.size(); ++index)
      slots[before[index].rank] = static_cast<std::int32_t>(index);
    // With one stage there is nothing beyond the middle but an arc.
    for (std::size_t index = 0; stages > 1 && index < after.size(); ++index)
      if (const std::int32_t slot = slots[after[index].rank]; slot >= 0)
        take(middle, slot, middle, index, before[slot].cost + after[index].cost);
    for (const Reached &reached : before)
      slots[reached.rank] = -1;
  }

  void joinByNewArc(std::int32_t stage) {
    const std::vector<Reached> &before = fromSource[stage], &after = toDestination[stage + 1];
    // The costs of the two ends add up, so the best sender is the best for every receiver.
    const std::size_t sender = cheapestEnd(before, stage, true);
    const std::size_t receiver = cheapestEnd(after, stage, false);
    for (std::size_t index = 0; index < after.size(); ++index)
      joinBy(stage, sender, index);
    for (std::size_t index = 0; index < before.size(); ++index)
      joinBy(stage, index, receiver);
    pathsExamined += before.size() + after.size();
  }

  std::size_t cheapestEnd(const std::vector<Reached> &ends, std::int32_t stage,
                          bool sending) const {
    std::size_t cheapest = 0;
    double lowest = 0;
    for (std::size_t index = 0; index < ends.size(); ++index) {
      const double cost =
          ends[index].cost + arcs.costOfEnd(stage, ends[index].rank, sending, items);
      if (index == 0 || cost < lowest) {
        lowest = cost;
        cheapest = index;
      }
    }
    return cheapest;
  }

  void joinBy(std::int32_t stage, std::size_t sender, std::size_t receiver) {
    const Reached &from = fromSource[stage][sender], &to = toDestination[stage + 1][receiver];
    if (from.rank != to.rank)
      take(stage, sender, stage + 1, receiver,
           from.cost + to.cost + arcs.costOfNew(stage, from.rank, to.rank, items));
  }

  /// Keeps the path through these two if it is the cheapest so far.
  void take(std::int32_t stage, std::size_t sender, std::int32_t next, std::size_t receiver,
            double cost) {
    if (best >= 0 && cost >= best)
      return;
    best = cost;
    path.resize(stages + 1);
    for (auto index = static_cast<std::int32_t>(sender); index >= 0; --stage) {
      path[stage] = fromSource[stage][index].rank;
      index = fromSource[stage][index].previous;
    }
    for (auto index = static_cast<std::int32_t>(receiver); index >= 0; ++next) {
      path[next] = toDestination[next][index].rank;
      index = toDestination[next][index].previous;
    }
  }

  const StagedArcs &arcs;
  std::int32_t stages;
  std::uint64_t items = 0;
  std::vector<std::vector<Reached>> fromSource, toDestination; ///< before each stage
  std::vector<std::int32_t> slots; ///< by rank: its index in the ranks being reached, or negative
  std::vector<std::int32_t> path;
  double best = -1;
  std::uint64_t pathsExamined = 0;
};

class ArcElimination {
public:
  ArcElimination(const ExchangePattern &pattern, const RouteTable &start,
                 const LoadWeights &weights, LoadPower power, std::uint64_t effort)
      : pattern(pattern), arcs(pattern, start, weights, power), cheapest(arcs), effort(effort) {}

  RouteTable run() {
    bool better = true;
    while (better && cheapest.examined() < effort) {
      better = false;
      leastGain = roundingError * arcs.largestPower();
      for (const std::uint32_t arc : arcs.byLoad())
        if (cheapest.examined() < effort)
          better = eliminate(arc) || better;
    }
    return arcs.routes();
  }

private:
  /// Whether removing the arc was an improvement; if not, everything is as before.
  bool eliminate(std::uint32_t arc) {
    moved = arcs.messagesOf(arc);
    if (moved.empty())
      return false;
    former.clear();
    double change = 0;
    for (const std::uint32_t message : moved) {
      const std::span<const std::int32_t> path = arcs.pathOf(message);
      former.insert(former.end(), path.begin(), path.end());
      change += arcs.remove(message);
    }
    for (const std::uint32_t message : moved) {
      const PatternMessage &wanted = pattern.messages[message];
      change += arcs.place(message, cheapest.find(wanted.source, wanted.destination, wanted.items));
    }
    if (change < -leastGain)
      return true;
    for (const std::uint32_t message : moved)
      arcs.remove(message);
    const std::size_t length = arcs.stages() + 1;
    for (std::size_t index = 0; index < moved.size(); ++index)
      arcs.place(moved[index], std::span(former).subspan(index * length, length));
    return false;
  }

  /// The rounding error of sums of powers, with a safety margin.
  static constexpr double roundingError = 1e-12;

  const ExchangePattern &pattern;
  StagedArcs arcs;
  CheapestPath cheapest;
  std::uint64_t effort;
  double leastGain = 0;
  std::vector<std::uint32_t> moved;
  std::vector<std::int32_t> former; ///< their former paths
};

} // namespace

RouteTable eliminateArcs(const ExchangePattern &pattern, const RouteTable &start,
                         const LoadWeights &weights, LoadPower power, std::uint64_t effort) {
  return ArcElimination(pattern, start, weights, power, effort).run();
}

} // namespace sendwright
