// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/StagedArcs.h"

#include <algorithm>
#include <tuple>

namespace sendwright {

namespace {

constexpr std::uint32_t noArc = ~std::uint32_t{0};

void erase(std::vector<StagedArcs::Neighbour> &neighbours, std::uint32_t arc) {
  const auto found = std::find_if(neighbours.begin(), neighbours.end(),
                                  [&](const auto &neighbour) { return neighbour.arc == arc; });
  *found = neighbours.back();
  neighbours.pop_back();
}

/// Ranks, and two ports of each node.
std::size_t loadBearers(std::int32_t ranks, const LoadWeights &weights) {
  std::int32_t nodes = 0;
  for (std::int32_t rank = 0; weights.atPort && rank < ranks; ++rank)
    nodes = std::max(nodes, weights.node(rank) + 1);
  return static_cast<std::size_t>(ranks + 2 * nodes);
}

} // namespace

StagedArcs::StagedArcs(const ExchangePattern &pattern, const RouteTable &start,
                       const LoadWeights &weights, LoadPower power)
    : pattern(pattern), weights(weights), power(power), stageCount(start.stages),
      outgoing(placeOf(stageCount, 0)), incoming(placeOf(stageCount, 0)),
      totals(loadBearers(pattern.ranks, weights)), loads(placeOfLoad(stageCount, 0)),
      ranksOnPaths(pattern.messages.size() * (stageCount + 1)) {
  std::vector<std::int32_t> path(stageCount + 1);
  for (std::uint32_t message = 0; message < start.routes.size(); ++message) {
    std::fill(path.begin(), path.end(), pattern.messages[message].source);
    for (const Hop &hop : start.routes[message])
      std::fill(path.begin() + hop.stage + 1, path.end(), hop.target);
    place(message, path);
  }
}

double StagedArcs::growth(std::int32_t stage, std::int32_t bearer, double by) const {
  const double load = loads[placeOfLoad(stage, bearer)];
  const double average = totals[static_cast<std::size_t>(bearer)] / stageCount,
               averageBy = by / stageCount;
  return powerOf(load + by) - powerOf(load) + powerOf(average + averageBy) - powerOf(average);
}

double StagedArcs::powerOf(double load) const {
  const double square = load * load, fourth = square * square;
  return power == LoadPower::Fourth ? fourth : fourth * fourth;
}

double StagedArcs::largestPower() const {
  return loads.empty() ? 0 : powerOf(*std::max_element(loads.begin(), loads.end()));
}

std::vector<std::uint32_t> StagedArcs::byLoad() const {
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t arc = 0; arc < arcs.size(); ++arc)
    if (const Arc &at = arcs[arc]; !at.messages.empty()) {
      const auto power = [&](std::int32_t bearer) {
        return powerOf(loads[placeOfLoad(at.stage, bearer)]);
      };
      order.emplace_back(power(at.from) + power(at.to), arc);
      if (passesPorts(at.from, at.to))
        order.back().first += power(portOf(at.from, true)) + power(portOf(at.to, false));
    }
  std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  std::vector<std::uint32_t> result;
  result.reserve(order.size());
  for (const auto &[load, arc] : order)
    result.push_back(arc);
  return result;
}

double StagedArcs::costOfItems(std::int32_t stage, std::int32_t from, std::int32_t to,
                               std::uint64_t items) const {
  const double more = weights.of(from, to).item * static_cast<double>(items);
  return growth(stage, from, more) + growth(stage, to, more) +
         growthAtPorts(stage, from, to, 0, items);
}

double StagedArcs::costOfNew(std::int32_t stage, std::int32_t from, std::int32_t to,
                             std::uint64_t items) const {
  const ArcWeights &weight = weights.of(from, to);
  const double more = weight.item * static_cast<double>(items);
  return growth(stage, from, weight.send + more) + growth(stage, to, weight.receive + more) +
         growthAtPorts(stage, from, to, 1, items);
}

double StagedArcs::growthAtPorts(std::int32_t stage, std::int32_t from, std::int32_t to,
                                 double messages, std::uint64_t items) const {
  if (!passesPorts(from, to))
    return 0;
  const double more =
      messages * weights.atPort->send + weights.atPort->item * static_cast<double>(items);
  return growth(stage, portOf(from, true), more) + growth(stage, portOf(to, false), more);
}

double StagedArcs::costOfEnd(std::int32_t stage, std::int32_t rank, bool sending,
                             std::uint64_t items) const {
  const ArcWeights &weight = weights.between;
  const double count = static_cast<double>(items);
  const double atRank =
      growth(stage, rank, (sending ? weight.send : weight.receive) + weight.item * count);
  if (!weights.atPort)
    return atRank;
  return atRank +
         growth(stage, portOf(rank, sending), weights.atPort->send + weights.atPort->item * count);
}

double StagedArcs::change(std::int32_t stage, std::int32_t bearer, double by) {
  const double result = growth(stage, bearer, by);
  loads[placeOfLoad(stage, bearer)] += by;
  totals[static_cast<std::size_t>(bearer)] += by;
  return result;
}

double StagedArcs::changeBoth(const Arc &arc, double messages, double items) {
  const ArcWeights &weight = weights.of(arc.from, arc.to);
  const double atRanks = change(arc.stage, arc.from, messages * weight.send + items * weight.item) +
                         change(arc.stage, arc.to, messages * weight.receive + items * weight.item);
  if (!passesPorts(arc.from, arc.to))
    return atRanks;
  const double atPort = messages * weights.atPort->send + items * weights.atPort->item;
  return atRanks + change(arc.stage, portOf(arc.from, true), atPort) +
         change(arc.stage, portOf(arc.to, false), atPort);
}

std::uint32_t StagedArcs::find(std::int32_t stage, std::int32_t from, std::int32_t to) const {
  const std::vector<Neighbour> &forwards = receivers(stage, from), &backwards = senders(stage, to);
  const bool fewer = forwards.size() < backwards.size();
  for (const Neighbour &neighbour : fewer ? forwards : backwards)
    if (neighbour.rank == (fewer ? to : from))
      return neighbour.arc;
  return noArc;
}

std::uint32_t StagedArcs::add(std::int32_t stage, std::int32_t from, std::int32_t to) {
  std::uint32_t arc;
  if (unused.empty()) {
    arc = static_cast<std::uint32_t>(arcs.size());
    arcs.emplace_back();
  } else {
    arc = unused.back();
    unused.pop_back();
  }
  arcs[arc].stage = stage;
  arcs[arc].from = from;
  arcs[arc].to = to;
  outgoing[placeOf(stage, from)].push_back({to, arc});
  incoming[placeOf(stage, to)].push_back({from, arc});
  return arc;
}

void StagedArcs::drop(std::uint32_t arc) {
  erase(outgoing[placeOf(arcs[arc].stage, arcs[arc].from)], arc);
  erase(incoming[placeOf(arcs[arc].stage, arcs[arc].to)], arc);
  unused.push_back(arc);
}

double StagedArcs::remove(std::uint32_t message) {
  const double items = static_cast<double>(pattern.messages[message].items);
  const std::span<const std::int32_t> path = pathOf(message);
  double result = 0;
  for (std::int32_t stage = 0; stage < stageCount; ++stage) {
    if (path[stage] == path[stage + 1])
      continue;
    const std::uint32_t index = find(stage, path[stage], path[stage + 1]);
    Arc &arc = arcs[index];
    *std::find(arc.messages.begin(), arc.messages.end(), message) = arc.messages.back();
    arc.messages.pop_back();
    result += changeBoth(arc, arc.messages.empty() ? -1 : 0, -items);
    if (arc.messages.empty())
      drop(index);
  }
  return result;
}

double StagedArcs::place(std::uint32_t message, std::span<const std::int32_t> path) {
  const double items = static_cast<double>(pattern.messages[message].items);
  std::copy(path.begin(), path.end(), ranksOnPaths.data() + placeOfPath(message));
  double result = 0;
  for (std::int32_t stage = 0; stage < stageCount; ++stage) {
    if (path[stage] == path[stage + 1])
      continue;
    std::uint32_t index = find(stage, path[stage], path[stage + 1]);
    const bool isNew = index == noArc;
    if (isNew)
      index = add(stage, path[stage], path[stage + 1]);
    arcs[index].messages.push_back(message);
    result += changeBoth(arcs[index], isNew ? 1 : 0, items);
  }
  return result;
}

RouteTable StagedArcs::routes() const {
  RouteTable table{stageCount, {}};
  table.routes.resize(pattern.messages.size());
  for (std::uint32_t message = 0; message < table.routes.size(); ++message) {
    const std::span<const std::int32_t> path = pathOf(message);
    for (std::int32_t stage = 0; stage < stageCount; ++stage)
      if (path[stage] != path[stage + 1])
        table.routes[message].push_back({stage, path[stage + 1]});
  }
  return table;
}

} // namespace sendwright
