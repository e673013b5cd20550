// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which executions of a planned site run as written and which as planned, and what each takes.
//
// Executions of one kind come in turns of four: the first brings the site from the other kind's
// state to its own, and only the other three are measured. Two turns form a pair, one of each kind.
// A hash of the site and the pair decides which comes first, so that turns do not beat in time with
// a period of the program, and the turns of two sites are independent of each other. The kind of an
// execution follows from the site and the execution's number alone: all ranks decide alike, without
// a message.
//
// The time of an execution is the time from its beginning to the beginning of the next execution of
// the same site. It includes everything that the program does in between, which is what a user
// waits for. The first pair is not measured: caches, connections and buffers are new.

#ifndef SENDWRIGHT_ANALYSIS_VERIFICATION_EXECUTIONTURNS_H
#define SENDWRIGHT_ANALYSIS_VERIFICATION_EXECUTIONTURNS_H

#include <cstdint>
#include <vector>

namespace sendwright {

/// At one rank, for one site.
class ExecutionTurns {
public:
  /// The site of all turns that are ended from outside: these begin and end together.
  static constexpr std::uint64_t endedFromOutside = ~std::uint64_t(0);
  static constexpr std::uint64_t standardLength = 4;
  /// Longer runs go on taking turns, but are not measured further.
  static constexpr std::size_t mostTurns = std::size_t(1) << 18;

  /// `site` is a number that is the same on all ranks.
  /// `length`: executions of a turn, 1 or more; a single one is measured, too.
  explicit ExecutionTurns(std::uint64_t site, std::uint64_t length = standardLength)
      : site(site), length(length) {}

  /// An execution begins, `now` in seconds by any clock. Returns whether it runs as planned.
  bool begin(double now);
  /// The answer of the next begin().
  bool isAsPlanned() const;

  // For a site `endedFromOutside`. Its first turn is as planned, and comes before the first pair.

  /// Ends the turn. A turn in which nothing could be measured counts as NaN.
  void end();
  bool isNextAsPlanned() const;
  std::uint64_t executionsInTurn() const { return begunInTurn; }

  std::uint64_t executions() const { return begun; }
  /// Mean seconds of an execution, for each complete turn after the first pair.
  const std::vector<double> &turns() const { return measured; }

  /// Whether executions of the measured turn run as planned. Turns 2 n and 2 n + 1 are a pair.
  static bool isMeasuredAsPlanned(std::uint64_t site, std::uint64_t turn);

private:
  void note(std::uint64_t execution, double seconds);
  void finishTurn(double mean, std::uint64_t turn);

  std::uint64_t site, length;
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;       ///< turns
  std::uint64_t begunInTurn = 0; ///< of turns that are ended from outside
  double last = 0;               ///< when the last execution began
  double sum = 0;                ///< of the measured executions of the current turn
  std::vector<double> measured;
};

} // namespace sendwright

#endif
