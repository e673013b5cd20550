// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What irregular collective calls take, as MPI does them and by messages of the runtime's own.

#ifndef SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARPREDICTION_H
#define SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARPREDICTION_H

#include "analysis/irregular/IrregularCalls.h"
#include "analysis/irregular/IrregularRefusal.h"
#include "analysis/machine/Machine.h"
#include "analysis/transformation/PlannerOptions.h"

#include <optional>
#include <span>

namespace sendwright {

/// Ways to do the calls, by their mean seconds over the known patterns.
struct IrregularPrediction {
  double written = 0, direct = 0;
  double routed = 0;                ///< 0 if no routes are faster than direct messages
  std::uint64_t known = 0;          ///< calls in the timeline with known blocks
  double blocks = 0;                ///< mean number that a rank sends in a call
  std::uint64_t mostBlocks = 0;     ///< that one rank sends or receives in a call
  std::string method;               ///< of the routes
  ReplacedIrregular replaced;       ///< the fastest way
  std::vector<RankExchange> routes; ///< by rank; empty for direct messages

  double planned() const { return routes.empty() ? direct : routed; }
  double gain() const { return written - planned(); }
  double gainPercent() const { return written > 0 ? 100 * gain() / written : 0; }
};

/// Simulates the most frequent patterns, in a program of `ranks` ranks, and seeks routes for the
/// most frequent one. Expects at most limits::scheduledRanks members: each pair of them may have a
/// message.
IrregularPrediction predictIrregular(const IrregularCalls &calls, std::size_t ranks,
                                     const Machine &machine, bool mayRoute);

/// What is decided about calls, and why.
struct DecidedIrregular {
  IrregularDecision decision;
  std::optional<IrregularRefusal> refusal; ///< if they are left
  ReplacedIrregular replaced;              ///< if they are
  std::vector<RankExchange> routes;        ///< likewise; by rank, or empty
};

struct IrregularOptions {
  double thresholdPercent = 1;
  double startSeconds = 0;                 ///< what it takes once
  bool mayRoute = true;                    ///< blocks may travel through other ranks
  std::span<const MeasuredLoss> lost = {}; ///< what was measured to be slower than as written
};

DecidedIrregular decideIrregular(const IrregularCalls &calls, std::size_t ranks,
                                 const Machine &machine, const IrregularOptions &options);

} // namespace sendwright

#endif
