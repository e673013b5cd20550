// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/benchmark/sharing/RandomPatterns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace sendwright {

namespace {

std::vector<std::int32_t> degreesOf(std::int32_t ranks, std::int32_t most, double exponent) {
  std::vector<std::int32_t> degrees;
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    degrees.push_back(std::max<std::int32_t>(
        1, static_cast<std::int32_t>(std::lround(most * std::pow(rank + 1, -exponent)))));
  return degrees;
}

} // namespace

ExchangePattern randomNeighbours(std::int32_t ranks, std::int32_t average) {
  std::mt19937 generator(1);
  ExchangePattern pattern{ranks, {}};
  std::vector<std::int32_t> destinations;
  for (std::int32_t source = 0; source < ranks; ++source) {
    destinations.clear();
    const auto count = average / 2 + generator() % (average + 1);
    while (destinations.size() < count) {
      const std::uint32_t near = source + 1 + generator() % (2 * average);
      const std::int32_t destination =
          static_cast<std::int32_t>((generator() % 2 ? near : generator()) % ranks);
      if (destination != source &&
          std::find(destinations.begin(), destinations.end(), destination) == destinations.end())
        destinations.push_back(destination);
    }
    std::sort(destinations.begin(), destinations.end());
    for (std::int32_t destination : destinations)
      pattern.messages.push_back({source, destination, 1 + generator() % 20});
  }
  return pattern;
}

ExchangePattern powerLaw(std::int32_t ranks, double average, std::int32_t most) {
  double low = 0, high = 4;
  std::vector<std::int32_t> degrees;
  for (int round = 0; round < 60; ++round) {
    const double exponent = (low + high) / 2;
    degrees = degreesOf(ranks, most, exponent);
    (std::accumulate(degrees.begin(), degrees.end(), 0.0) > average * ranks ? low : high) =
        exponent;
  }
  std::mt19937 generator(1);
  std::shuffle(degrees.begin(), degrees.end(), generator);
  ExchangePattern pattern{ranks, {}};
  std::vector<std::int32_t> others(ranks);
  for (std::int32_t source = 0; source < ranks; ++source) {
    std::iota(others.begin(), others.end(), 0);
    others.erase(others.begin() + source);
    std::shuffle(others.begin(), others.end(), generator);
    others.resize(degrees[source]);
    std::sort(others.begin(), others.end());
    for (std::int32_t destination : others)
      pattern.messages.push_back({source, destination, 1});
    others.resize(ranks);
  }
  return pattern;
}

} // namespace sendwright
