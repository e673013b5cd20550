// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan gains at a site, from pairs of measured times: one as written, one as planned, close
// together in time, so that slow drift of the machine cancels.
//
// The gain is the Hodges-Lehmann estimate over the pairs: the median of all means of two pairs. Its
// confidence interval is the one that belongs to Wilcoxon's signed-rank test (Hollander, Wolfe,
// Chicken, Nonparametric Statistical Methods, 3.2 and 3.3). Neither assumes a distribution, and a
// few pairs that were disturbed (a retransmission, another job) hardly move them.

#ifndef SENDWRIGHT_ANALYSIS_VERIFICATION_MEASUREDGAIN_H
#define SENDWRIGHT_ANALYSIS_VERIFICATION_MEASUREDGAIN_H

#include <cstdint>
#include <span>

namespace sendwright {

struct MeasuredGain {
  std::uint64_t pairs = 0;
  double asWritten = 0, asPlanned = 0; ///< median seconds of an execution
  /// Percent of the time as written, with the bounds of its interval at 95 % confidence.
  double percent = 0, lowest = 0, highest = 0;

  bool isLoss() const { return highest < 0; }
};

/// Fewer pairs cannot give an interval at 95 % confidence.
inline constexpr std::size_t fewestPairs = 6;

/// Times in seconds, above 0; equally many, at least `fewestPairs`. O(n log n) for n pairs: many
/// are averaged in groups of neighbours first.
MeasuredGain measuredGain(std::span<const double> asWritten, std::span<const double> asPlanned);

} // namespace sendwright

#endif
