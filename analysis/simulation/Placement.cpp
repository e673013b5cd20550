// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/simulation/Placement.h"

#include <map>
#include <string>

namespace sendwright {

Machine placedAsRecorded(const Machine &machine, const Profile &profile) {
  if (!machine.node_port)
    return machine;
  std::map<std::string, std::uint32_t> numbers;
  std::vector<int> ranks; // by node
  Machine placed = machine;
  placed.nodes.clear();
  for (const RankProfile &rank : profile.ranks) {
    const auto [host, isNew] =
        numbers.try_emplace(rank.host, static_cast<std::uint32_t>(numbers.size()));
    if (isNew)
      ranks.push_back(0);
    if (rank.host.empty() || ++ranks[host->second] > machine.ranks_per_node)
      return machine;
    placed.nodes.push_back(host->second);
  }
  return ranks.size() > 1 ? placed : machine;
}

} // namespace sendwright
