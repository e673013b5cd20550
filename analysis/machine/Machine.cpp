// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/machine/Machine.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sendwright {

Machine defaultMachine() {
  Machine machine;
  machine.name = "default: switched Gigabit Ethernet";
  machine.between.L = 30e-6;
  machine.between.o_send = 10e-6;
  machine.between.o_recv = 10e-6;
  machine.between.g = 10e-6;
  machine.between.G = 8e-9; // 125 MB/s
  machine.between.eager_limit = 65536;
  return machine;
}

Machine machineOfGroup(const Machine &machine, const std::vector<int> &group) {
  Machine seen = machine;
  seen.nodes.clear();
  // A file without node_port says which neighbours in a communicator are near to one another.
  if (machine.node_port)
    for (const int rank : group)
      seen.nodes.push_back(
          static_cast<std::uint32_t>(nodeOf(machine, static_cast<std::size_t>(rank))));
  return seen;
}

double duplicationSeconds(const Machine &machine, std::uint32_t ranks) {
  if (!machine.duplication)
    return 0;
  const auto measured = static_cast<std::uint32_t>(std::max(machine.duplication->ranks, 2));
  return machine.duplication->seconds * std::bit_width(std::max(ranks, 1u) - 1) /
         std::bit_width(measured - 1);
}

} // namespace sendwright
