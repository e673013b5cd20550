// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/SharingCosts.h"

#include "analysis/sharing/routes/PlacedHops.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

/// What keeps one rank busy in one stage, seconds.
struct Occupation {
  double processor = 0, sendGaps = 0, receiveGaps = 0, bytes = 0, latency = 0;

  void add(const LinkParameters &link, double size, bool sending) {
    processor += sending ? link.o_send : link.o_recv;
    (sending ? sendGaps : receiveGaps) += link.g;
    bytes += (link.G + link.O) * size;
    latency = std::max(latency, link.L);
  }
  double seconds() const { return latency + std::max({processor, sendGaps, receiveGaps}) + bytes; }
};

/// What keeps the ports of nodes busy in one stage.
class NodeOccupations {
public:
  NodeOccupations(const Machine &machine, std::int32_t ranks) : machine(machine) {
    if (machine.node_port)
      for (std::int32_t rank = 0; rank < ranks; ++rank)
        ports.resize(
            std::max(ports.size(), 2 * nodeOf(machine, static_cast<std::size_t>(rank)) + 2));
  }

  void add(std::size_t from, std::size_t to, double size) {
    if (ports.empty())
      return;
    const double seconds = machine.node_port->g + machine.node_port->G * size;
    ports[2 * from] += seconds;
    ports[2 * to + 1] += seconds;
  }

  /// How long the stage takes by the busiest port: its first message leaves once a processor has
  /// sent it, and its last message must be received.
  double endStage() {
    double longest = 0;
    for (double &seconds : ports)
      longest = std::max(longest, std::exchange(seconds, 0));
    const LinkParameters &link = machine.between;
    return longest > 0 ? longest + link.o_send + link.L + link.o_recv : 0;
  }

private:
  const Machine &machine;
  std::vector<double> ports; // seconds, by node: to the network, from the network
};

} // namespace

std::vector<CombinedMessage> combinedMessages(const ExchangePattern &pattern,
                                              const RouteTable &table) {
  std::vector<CombinedMessage> combined;
  const std::vector<PlacedHop> hops = placedHops(pattern, table);
  for (std::size_t index = 0; index < hops.size(); ++index) {
    const PlacedHop &hop = hops[index];
    if (index == 0 || !hop.sameTransfer(hops[index - 1]))
      combined.push_back({hop.stage, hop.from, hop.to, 0});
    combined.back().items += static_cast<double>(pattern.messages[hop.message].items);
  }
  return combined;
}

SharingFigures sharingFigures(const ExchangePattern &pattern, const RouteTable &table,
                              const std::vector<CombinedMessage> &messages) {
  SharingFigures figures;
  figures.stages = table.stages;
  std::vector<std::int64_t> sends(pattern.ranks), receives(pattern.ranks);
  double moved = 0, wanted = 0;
  for (const CombinedMessage &message : messages) {
    ++sends[message.from];
    ++receives[message.to];
    moved += message.items;
  }
  for (const PatternMessage &message : pattern.messages)
    wanted += static_cast<double>(message.items);
  for (std::int32_t rank = 0; rank < pattern.ranks; ++rank) {
    figures.maxSends = std::max(figures.maxSends, sends[rank]);
    figures.maxReceives = std::max(figures.maxReceives, receives[rank]);
    figures.maxLoad = std::max(figures.maxLoad, sends[rank] + receives[rank]);
  }
  figures.averageSends =
      pattern.ranks > 0 ? static_cast<double>(messages.size()) / pattern.ranks : 0;
  figures.volumeFactor = wanted > 0 ? moved / wanted : 1;
  for (const std::vector<Hop> &route : table.routes)
    figures.maxHops = std::max(figures.maxHops, static_cast<std::int32_t>(route.size()));
  return figures;
}

double predictSeconds(const std::vector<CombinedMessage> &messages, std::int32_t ranks,
                      const Machine &machine, double bytesPerItem) {
  const LinkParameters &within = machine.within ? *machine.within : machine.between;
  std::vector<Occupation> occupations(ranks);
  NodeOccupations nodes(machine, ranks);
  double seconds = 0;
  const auto endStage = [&] {
    double longest = nodes.endStage();
    for (Occupation &occupation : occupations) {
      longest = std::max(longest, occupation.seconds());
      occupation = {};
    }
    seconds += longest;
  };
  std::int32_t stage = 0;
  for (const CombinedMessage &message : messages) {
    if (message.stage != stage)
      endStage();
    stage = message.stage;
    const std::size_t from = nodeOf(machine, static_cast<std::size_t>(message.from));
    const std::size_t to = nodeOf(machine, static_cast<std::size_t>(message.to));
    const LinkParameters &link = from == to ? within : machine.between;
    const double size = message.items * bytesPerItem;
    if (from != to)
      nodes.add(from, to, size);
    occupations[message.from].add(link, size, true);
    occupations[message.to].add(link, size, false);
  }
  endStage();
  return seconds;
}

} // namespace sendwright
