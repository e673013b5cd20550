// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: the routes that each method finds for a pattern, verified, with their cost; and
// the fastest routes by the cost model, which may be direct.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SHARING_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/routes/SharingBounds.h"
#include "analysis/sharing/routes/SharingCosts.h"

#include <optional>
#include <string>

namespace sendwright {

/// The routes that one method finds for a pattern.
struct SharedRoutes {
  std::string method; ///< for a person to read: "direct", "store-and-forward in 3 dimensions", ...
  RouteTable table;
  SharingFigures figures;
  double seconds = 0;    ///< predicted for one instance
  bool verified = false; ///< in simulation every message reached its destination exactly once
};

/// Messages that ranks send, by the thesis's counters and by the number of ranks they really send
/// to.
struct PhaseCounters {
  std::int64_t counterMax = 0, unionMax = 0;
  double counterAverage = 0, unionAverage = 0;
};

/// The results of all methods.
struct SharingAnalysis {
  SharedRoutes direct, phaseOne, phaseTwo;
  PhaseCounters phaseOneCounters, phaseTwoCounters;
  std::vector<SharedRoutes> storeAndForward; ///< in 2, 3, ... dimensions
  std::vector<SharedRoutes> groupSharing;    ///< the best for each number of stages, and by nodes
  SharingBounds bounds;

  /// The fastest verified routes; of equally fast routes, the first in the order above.
  const SharedRoutes &selected() const;
};

/// How long routes are sought. A running program waits for them; a planner has three times as long.
enum class SearchEffort { Usual, Thorough };

/// `bytesPerItem` is the size of an item of the pattern, in bytes (1 where items are bytes).
/// Deterministic and thread-safe (it has no state). Time: about a second for 512 ranks, some ten
/// seconds for 4,096 ranks with 60 messages each (test/benchmark/sharing/run measures it). Memory:
/// the routes of all methods.
SharingAnalysis analyzeSharing(const ExchangePattern &pattern, const Machine &machine,
                               double bytesPerItem, SearchEffort effort = SearchEffort::Usual);

/// The routes to use, and the time of direct messages.
struct SharingChoice {
  SharedRoutes routes;
  /// Routes that may turn out faster in a run, where no stage waits for the stage before it: the
  /// fastest verified routes in two and in three stages, if they share and are not `routes`, and
  /// are predicted to be faster than direct messages. Fastest first.
  std::vector<SharedRoutes> others = {};
  double directSeconds = 0;
  bool shares() const { return routes.table.stages > 1; }
};

/// The routes that analyzeSharing() selects.
SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem, SearchEffort effort = SearchEffort::Usual);

} // namespace sendwright

#endif
