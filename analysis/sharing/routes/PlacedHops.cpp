// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/routes/PlacedHops.h"

namespace sendwright {

namespace {

/// Stable: hops with equal keys keep the order of an earlier sort by a less important key.
void countingSort(std::vector<PlacedHop> &hops, std::vector<PlacedHop> &sorted,
                  std::int32_t PlacedHop::*key, std::int32_t keys) {
  std::vector<std::size_t> begins(keys + 1);
  for (const PlacedHop &hop : hops)
    ++begins[hop.*key + 1];
  for (std::int32_t value = 0; value < keys; ++value)
    begins[value + 1] += begins[value];
  sorted.resize(hops.size());
  for (const PlacedHop &hop : hops)
    sorted[begins[hop.*key]++] = hop;
  hops.swap(sorted);
}

} // namespace

std::vector<PlacedHop> placedHops(const ExchangePattern &pattern, const RouteTable &table) {
  std::size_t count = 0;
  for (const std::vector<Hop> &route : table.routes)
    count += route.size();
  std::vector<PlacedHop> hops, sorted;
  hops.reserve(count);
  for (std::uint32_t message = 0; message < table.routes.size(); ++message) {
    std::int32_t at = pattern.messages[message].source;
    for (const Hop &hop : table.routes[message]) {
      hops.push_back({hop.stage, at, hop.target, message});
      at = hop.target;
    }
  }
  countingSort(hops, sorted, &PlacedHop::to, pattern.ranks);
  countingSort(hops, sorted, &PlacedHop::from, pattern.ranks);
  countingSort(hops, sorted, &PlacedHop::stage, table.stages);
  return hops;
}

} // namespace sendwright
