// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/verification/MeasuredGain.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sendwright {

namespace {

/// All means of two pairs are sorted, so their number is limited.
constexpr std::size_t mostDifferences = 512;

double medianTime(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// ln(as written / as planned) of each pair, or of groups of neighbouring pairs. A ratio of the
/// times is as good whichever of the two it is divided by; a difference in percent is not.
std::vector<double> logarithms(std::span<const double> asWritten,
                               std::span<const double> asPlanned) {
  const std::size_t group = (asWritten.size() + mostDifferences - 1) / mostDifferences;
  std::vector<double> result;
  for (std::size_t first = 0; first + group <= asWritten.size(); first += group) {
    std::vector<double> ratios;
    for (std::size_t pair = first; pair < first + group; ++pair)
      ratios.push_back(std::log(asWritten[pair] / asPlanned[pair]));
    result.push_back(medianTime(std::move(ratios)));
  }
  return result;
}

std::vector<double> sortedMeansOfTwo(const std::vector<double> &values) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t one = 0; one < values.size(); ++one)
    for (std::size_t other = one; other < values.size(); ++other)
      means.push_back((values[one] + values[other]) / 2);
  std::ranges::sort(means);
  return means;
}

/// Of n (n + 1) / 2 sorted means, how many lie outside of the interval at each end: the normal
/// approximation of the signed-rank statistic, rounded towards the wider interval.
std::size_t meansOutside(std::size_t count) {
  const double n = static_cast<double>(count);
  const double rank = n * (n + 1) / 4 - 1.96 * std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  return rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1;
}

double percentOf(double logarithm) { return -100 * std::expm1(-logarithm); }

} // namespace

MeasuredGain measuredGain(std::span<const double> asWritten, std::span<const double> asPlanned) {
  MeasuredGain gain;
  gain.pairs = asWritten.size();
  gain.asWritten = medianTime({asWritten.begin(), asWritten.end()});
  gain.asPlanned = medianTime({asPlanned.begin(), asPlanned.end()});
  const std::vector<double> differences = logarithms(asWritten, asPlanned);
  const std::vector<double> means = sortedMeansOfTwo(differences);
  const std::size_t outside = meansOutside(differences.size());
  gain.percent = percentOf(medianTime(means));
  gain.lowest = percentOf(means[outside]);
  gain.highest = percentOf(means[means.size() - 1 - outside]);
  return gain;
}

} // namespace sendwright
