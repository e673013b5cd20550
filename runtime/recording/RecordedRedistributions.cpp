// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/RecordedRedistributions.h"

#include "analysis/redistribution/PairDigest.h"

namespace sendwright {

namespace {

constexpr unsigned mostRecordedPairs = 64; // a program that always rebalances repeats no pair

bool hasBlocks(const Distribution &distribution) {
  return distribution.dimensions() == 1 && distribution.dimension(0).contiguous() &&
         distribution.gridRanks() == GridRanks();
}

std::vector<std::int64_t> blocksOf(const Distribution &distribution) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(static_cast<std::size_t>(distribution.ranks()));
  for (int rank = 0; rank < distribution.ranks(); ++rank)
    sizes.push_back(distribution.localElements(rank));
  return sizes;
}

} // namespace

void RecordedRedistributions::add(const sendwright_site &site, const Distribution &before,
                                  const Distribution &after) {
  if (!hasBlocks(before) || !hasBlocks(after) || before.ranks() != after.ranks())
    return;
  const std::pair key(&site, pairDigest(before, after));
  if (const auto known = indices.find(key); known != indices.end()) {
    ++recorded[known->second].count;
    return;
  }
  if (pairs[&site] == mostRecordedPairs)
    return;
  recorded.push_back({{site.file, site.function, site.line, site.ordinal, site.hash, ""},
                      blocksOf(before),
                      blocksOf(after),
                      1});
  indices.emplace(key, recorded.size() - 1);
  ++pairs[&site];
}

} // namespace sendwright
