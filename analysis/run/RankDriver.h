// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that wait for one another, each advanced until it blocks. Every analysis that follows a run
// does this: logical clocks, circular waits, paths, epochs, collective operations, simulated runs.
// The driver knows which ranks may go on, which have ended, and which wait until another rank comes
// to some point of its run. The analysis defines a step, and wakes ranks that wait for anything
// else.

#ifndef SENDWRIGHT_ANALYSIS_RUN_RANKDRIVER_H
#define SENDWRIGHT_ANALYSIS_RUN_RANKDRIVER_H

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace sendwright {

/// The result of a rank's next step.
enum class RankProgress : std::uint8_t {
  Advanced, ///< the step is done
  Blocked,  ///< it waits for another rank; the same step is tried again when the rank is woken
  Ended     ///< no step is left
};

/// Which of the woken ranks has the next turn.
enum class TurnOrder : std::uint8_t { FirstWoken, LastWoken };

/// O(1) for each step, turn and wake; O(log w) for each wait, with w ranks that wait for the same
/// rank. A rank that is never woken again stays where it is, and run() still ends.
class RankDriver {
public:
  static constexpr std::uint64_t unlimited = UINT64_MAX;

  /// Every rank has a turn at the beginning, the lowest first. `mostSteps`: in one turn; a rank
  /// that could go on gets another turn after the ranks that were woken before.
  explicit RankDriver(std::size_t ranks, TurnOrder order = TurnOrder::FirstWoken,
                      std::uint64_t mostSteps = unlimited)
      : order(order), mostSteps(mostSteps), queued(ranks), ended(ranks), waiting(ranks) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      wakeLast(rank);
  }

  /// Gives the rank another turn, unless one is due or the rank has ended.
  void wake(std::size_t rank) {
    if (queued[rank] || ended[rank])
      return;
    if (order == TurnOrder::FirstWoken)
      return wakeLast(rank);
    queued[rank] = 1;
    turns.push_front(static_cast<std::uint32_t>(rank));
  }

  /// Wakes the rank after the turn in which `other` reaches `mark` (see run()), which it has not
  /// reached yet.
  void wakeWhenReached(std::size_t other, std::uint64_t mark, std::size_t rank) {
    waiting[other].push({mark, waits++, static_cast<std::uint32_t>(rank)});
  }

  /// Advances all woken ranks until each of them has blocked or ended. `step(rank)` tries the next
  /// step of a rank and returns its RankProgress.
  template <typename Step> void run(Step &&step) {
    run(step, [](std::size_t) { return std::uint64_t{0}; });
  }

  /// The same. `reached(rank)` says after each turn which mark the rank has reached, for example an
  /// index of events or batches; it must not decrease. Ranks that wait for this mark or a lower
  /// mark are woken in the order of their marks; for the same mark, in the order in which they
  /// began to wait.
  template <typename Step, typename Reached> void run(Step &&step, Reached &&reached) {
    while (!turns.empty()) {
      const std::uint32_t rank = turns.front();
      turns.pop_front();
      queued[rank] = 0;
      if (turn(rank, step, mostSteps) == mostSteps)
        wake(rank);
      Waits &waits = waiting[rank];
      for (; !waits.empty() && waits.top().mark <= reached(rank); waits.pop())
        wake(waits.top().rank);
    }
  }

  /// One turn of one rank, for callers that choose the order themselves. Returns the number of
  /// steps.
  template <typename Step>
  std::uint64_t turn(std::size_t rank, Step &&step, std::uint64_t most = unlimited) {
    for (std::uint64_t steps = 0; steps < most; ++steps)
      if (const RankProgress progress = step(rank); progress != RankProgress::Advanced) {
        ended[rank] = progress == RankProgress::Ended ? 1 : 0;
        return steps;
      }
    return most;
  }

  bool hasEnded(std::size_t rank) const { return ended[rank] != 0; }

  /// The first rank that has not ended. After run(), it waits forever.
  std::optional<std::size_t> firstStuck() const {
    const auto found = std::find(ended.begin(), ended.end(), 0);
    return found == ended.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - ended.begin()));
  }

private:
  struct Waiting {
    std::uint64_t mark = 0, number = 0; ///< `number`: how many waits of all ranks began before
    std::uint32_t rank = 0;
    auto operator<=>(const Waiting &) const = default;
  };
  using Waits = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

  void wakeLast(std::size_t rank) {
    queued[rank] = 1;
    turns.push_back(static_cast<std::uint32_t>(rank));
  }

  TurnOrder order;
  std::uint64_t mostSteps;
  std::deque<std::uint32_t> turns;
  std::vector<char> queued, ended; // by rank
  std::vector<Waits> waiting;      // by awaited rank
  std::uint64_t waits = 0;
};

} // namespace sendwright

#endif
