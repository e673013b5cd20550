// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that follow measured loads. Each processor's computing time from one directive to the next
// says what its rows cost together. Which of them cost what is learned over time, and blocks move
// where a load stays long enough for a move to pay.
//
// What rows cost. A processor's time is shared among its rows in proportion to what they cost so
// far, at first evenly. So each measurement refines the earlier ones: where a block is cut, its
// parts are measured apart from then on. This is iterative proportional fitting (W. Deming and F.
// Stephan, On a least squares adjustment of a sampled frequency table, 1940): of the costs that
// agree with the measurements, it tends to those that differ least from what was known. A load
// wanders from row to row, so before each fit a little of each row's cost goes to its neighbours.
//
// When blocks move. The best blocks for these costs are proposed, but only move if they are
//
//   - proved: the next period shows that they would have been better in it, too. A load that is
//     elsewhere each time proves nothing. While moves have gained nothing yet, three periods in a
//     row must prove their proposals.
//   - paid for: the sum of what the proposals would have saved, since the last move, exceeds what
//     the move costs. For a load that stays this costs at most twice what the best moment would
//     have (renting until one could have bought: A. Karlin, M. Manasse, L. Rudolph and D. Sleator,
//     Competitive snoopy caching, 1988); for a load that drifts it finds a good interval.
//   - affordable: there is an account, in seconds, of what the blocks saved against the first
//   blocks,
//     less what moves cost. The first move may overdraw it. After that a move there and back must
//     leave it above a two-hundredth of the time so far, below zero.
//
// If the present blocks have lost more against the first blocks than it costs to go back, the
// arrays go back.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MEASUREDBALANCE_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_MEASUREDBALANCE_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sendwright {

/// Consecutive rows of one processor.
struct RowRange {
  std::int64_t begin = 0, end = 0;
  std::size_t processor = 0;
};

/// One period, as all processors know it.
struct MeasuredPeriod {
  std::span<const RowRange> owners;      ///< all rows, in any order
  std::span<const double> seconds;       ///< that each processor computed; finite, at least 0
  std::span<const std::int64_t> present; ///< the sizes of the blocks; empty where they are
                                         ///< none: then the rows move to blocks
  unsigned directives = 1;               ///< that the period has: the ranks need not meet at each
  double meeting = 0;                    ///< seconds that the ranks need to know these seconds
  double secondsPerByte = 0;             ///< of earlier moves; 0: not known yet
  /// The bytes of the busiest port in a move to blocks of these sizes.
  std::function<std::int64_t(std::span<const std::int64_t>)> bytes;
};

/// What is done after a period.
struct MeasuredChoice {
  bool moves = false;
  std::vector<std::int64_t> sizes; ///< to which it moves, or the present ones
  std::int64_t bytes = 0;          ///< of the busiest port; 0 where nothing moves
  /// The largest loads of the period, in seconds: as it was, and with the best blocks, as far as
  /// the costs of rows are known.
  double loadNow = 0, loadThen = 0;
  /// Directives that can be passed without a meeting, so that meetings that gain nothing take at
  /// most a two-hundredth of the time.
  unsigned pass = 0;
};

/// Deterministic: processors that tell it the same periods choose the same.
class MeasuredBalance {
public:
  /// At least one processor. Throws std::bad_alloc.
  MeasuredBalance(std::int64_t rows, int processors);

  /// Learns from a period and chooses. Takes what an optimal partition takes (BalancedBlocks.h).
  /// Throws std::bad_alloc; this is then as it was, or knows the period's costs.
  MeasuredChoice after(const MeasuredPeriod &period);

  /// Only learns from a period.
  void learn(const MeasuredPeriod &period);
  /// Other processors have the rows from now on: all is forgotten but the costs of rows.
  void moveOnto(int processors);

  std::size_t processors() const { return count; }
  /// What a row is known to cost, in seconds of the last period.
  std::span<const double> costs() const { return known; }

private:
  struct Proposal {
    std::vector<std::int64_t> sizes; ///< none: no proposal
    double promised = 0;             ///< saving, as a part of all processors' seconds
  };

  void judge(const MeasuredChoice &choice, double sum);
  bool isDue(double cost) const;
  void go(MeasuredChoice &choice, std::vector<std::int64_t> sizes, double cost);
  unsigned passed(const MeasuredPeriod &period, const MeasuredChoice &choice) const;

  std::size_t count; ///< of processors
  std::vector<double> known, spread;
  std::vector<std::int64_t> first, before; ///< sizes at the beginning, and before the last move
  Proposal proposal;                       ///< of the last period
  bool follows = false;                    ///< the last period began with the move to it
  unsigned proofs = 0;                     ///< periods in a row that proved their proposal
  double missed = 0;      ///< seconds that proposals would have saved, since the last move
  double lostToFirst = 0; ///< seconds lost against the first blocks, since the last move
  double account = 0, elapsed = 0;
  bool everMoved = false;
};

} // namespace sendwright

#endif
