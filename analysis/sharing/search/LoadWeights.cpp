// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/LoadWeights.h"

#include <algorithm>

namespace sendwright {

namespace {

/// Weight of a message within a node if no times within a node are known.
constexpr double weightWithin = 0.9;

ArcWeights weightsOf(const LinkParameters &link, double unit, double bytesPerItem) {
  return {std::max(link.o_send, link.g) / unit, std::max(link.o_recv, link.g) / unit,
          (link.G + link.O) * bytesPerItem / unit};
}

} // namespace

LoadWeights loadWeights(const Machine &machine, double bytesPerItem) {
  LoadWeights weights;
  weights.placement.ranks_per_node = std::max(machine.ranks_per_node, 1);
  weights.placement.nodes = machine.nodes;
  const LinkParameters &link = machine.between;
  const double unit = (std::max(link.o_send, link.g) + std::max(link.o_recv, link.g)) / 2;
  if (unit > 0)
    weights.between = weightsOf(link, unit, bytesPerItem);
  if (machine.node_port && unit > 0)
    weights.atPort = {machine.node_port->g / unit, machine.node_port->g / unit,
                      machine.node_port->G * bytesPerItem / unit};
  if (machine.within && unit > 0) {
    weights.within = weightsOf(*machine.within, unit, bytesPerItem);
  } else {
    weights.within = weights.between;
    weights.within.send *= weightWithin;
    weights.within.receive *= weightWithin;
  }
  return weights;
}

} // namespace sendwright
