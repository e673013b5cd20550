// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random sizes for gen_block, within bounds and with a given sum: for tests and measurements.

#ifndef SENDWRIGHT_TEST_BENCHMARK_REDISTRIBUTION_RANDOMSIZES_H
#define SENDWRIGHT_TEST_BENCHMARK_REDISTRIBUTION_RANDOMSIZES_H

#include "analysis/redistribution/Messages.h"

#include <cstdint>
#include <random>
#include <vector>

namespace sendwright {

using Random = std::mt19937_64;

/// The four ranges of sizes of Chen and Hsu's Fig. 6, as multiples of the average; a lower factor
/// of 0 stands for the bound 1.
struct SizeRange {
  const char *name;
  double lowest, highest;
};
inline constexpr SizeRange sizeRanges[] = {
    {"alpha", 0.5, 2}, {"beta", 0, 2}, {"gamma", 0, 4}, {"delta", 0, 8}};

enum class SizeGenerator {
  Sequential, ///< one after another, uniform where the rest stays possible, then shuffled
  Exponential ///< exponential variates scaled to the sum, clamped, and repaired
};

/// `ranks` sizes within the range with the sum `extent`, which must be at least `ranks`.
std::vector<std::int64_t> randomSizes(SizeGenerator generator, int ranks, std::int64_t extent,
                                      const SizeRange &range, Random &random);

/// Sizes of any kind, including 0: some cut anywhere, some as above, some nearly equal, some with
/// only a few values. Their sum is `extent` or more.
std::vector<std::int64_t> anySizes(int ranks, std::int64_t extent, Random &random);

/// The messages between two GEN_BLOCK distributions over the same number of ranks.
std::vector<Message> genBlockMessages(const std::vector<std::int64_t> &before,
                                      const std::vector<std::int64_t> &after, std::int64_t extent);

} // namespace sendwright

#endif
