// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/benchmark/redistribution/RandomSizes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sendwright {

namespace {

std::int64_t uniform(std::int64_t lowest, std::int64_t highest, Random &random) {
  return std::uniform_int_distribution<std::int64_t>(lowest, std::max(lowest, highest))(random);
}

std::vector<std::int64_t> sequentialSizes(int ranks, std::int64_t extent, std::int64_t lowest,
                                          std::int64_t highest, Random &random) {
  std::vector<std::int64_t> sizes;
  std::int64_t rest = extent;
  for (std::int64_t after = ranks - 1; after >= 0; --after) {
    sizes.push_back(uniform(std::max(lowest, rest - highest * after),
                            std::min(highest, rest - lowest * after), random));
    rest -= sizes.back();
  }
  std::shuffle(sizes.begin(), sizes.end(), random);
  return sizes;
}

std::vector<std::int64_t> exponentialSizes(int ranks, std::int64_t extent, std::int64_t lowest,
                                           std::int64_t highest, Random &random) {
  std::vector<double> variates(static_cast<std::size_t>(ranks));
  std::exponential_distribution<double> draw;
  for (double &variate : variates)
    variate = draw(random);
  const double scale =
      static_cast<double>(extent) / std::accumulate(variates.begin(), variates.end(), 0.0);
  std::vector<std::int64_t> sizes;
  for (double variate : variates)
    sizes.push_back(std::clamp<std::int64_t>(std::llround(variate * scale), lowest, highest));
  for (std::int64_t left;
       (left = extent - std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})) != 0;) {
    // Part of the remainder goes to a rank that has room for it.
    std::int64_t &size = sizes[static_cast<std::size_t>(uniform(0, ranks - 1, random))];
    const std::int64_t share = left / ranks != 0 ? left / ranks : (left > 0 ? 1 : -1);
    size = std::clamp(size + share, lowest, highest);
  }
  return sizes;
}

std::vector<std::int64_t> cutAnywhere(int ranks, std::int64_t extent, Random &random) {
  std::vector<std::int64_t> boundaries{0, extent};
  for (int i = 1; i < ranks; ++i)
    boundaries.push_back(uniform(0, extent, random));
  std::sort(boundaries.begin(), boundaries.end());
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 1; i < boundaries.size(); ++i)
    sizes.push_back(boundaries[i] - boundaries[i - 1]);
  return sizes;
}

std::vector<std::int64_t> fewValues(int ranks, std::int64_t extent, Random &random) {
  const std::int64_t average = extent / ranks;
  const std::int64_t values[] = {0, 1, uniform(1, average + 1, random), 3 * average + 1};
  std::vector<std::int64_t> sizes;
  std::int64_t sum = 0;
  for (int i = 0; i < ranks; ++i) {
    sizes.push_back(values[uniform(0, 3, random)]);
    sum += sizes.back();
  }
  if (sum < extent)
    sizes[static_cast<std::size_t>(uniform(0, ranks - 1, random))] += extent - sum;
  return sizes;
}

} // namespace

std::vector<std::int64_t> randomSizes(SizeGenerator generator, int ranks, std::int64_t extent,
                                      const SizeRange &range, Random &random) {
  const double average = static_cast<double>(extent) / ranks;
  // Whole numbers within the range that include the average.
  const auto lowest = static_cast<std::int64_t>(
      std::max(1.0, std::min(std::ceil(range.lowest * average), std::floor(average))));
  const auto highest =
      static_cast<std::int64_t>(std::max(std::floor(range.highest * average), std::ceil(average)));
  return generator == SizeGenerator::Sequential
             ? sequentialSizes(ranks, extent, lowest, highest, random)
             : exponentialSizes(ranks, extent, lowest, highest, random);
}

std::vector<std::int64_t> anySizes(int ranks, std::int64_t extent, Random &random) {
  const SizeRange &range = sizeRanges[uniform(0, 3, random)];
  switch (uniform(0, 4, random)) {
  case 0:
    return cutAnywhere(ranks, extent, random);
  case 1:
    return fewValues(ranks, extent, random);
  case 2:
    return randomSizes(SizeGenerator::Sequential, ranks, extent, range, random);
  case 3:
    return randomSizes(SizeGenerator::Sequential, ranks, extent, {"nearly equal", 0.9, 1.2},
                       random);
  default:
    return randomSizes(SizeGenerator::Exponential, ranks, extent, range, random);
  }
}

std::vector<Message> genBlockMessages(const std::vector<std::int64_t> &before,
                                      const std::vector<std::int64_t> &after, std::int64_t extent) {
  const auto distribution = [extent](const std::vector<std::int64_t> &sizes) {
    return Distribution({DimensionFormat::genBlock(sizes)}, {extent},
                        {static_cast<int>(sizes.size())});
  };
  return messagesBetween(distribution(before), distribution(after));
}

} // namespace sendwright
