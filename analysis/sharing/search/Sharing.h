// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: every method's routes for a pattern, verified, with what they cost; and the
// fastest of them by the cost model, which may be to send directly.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_SHARING_H

#include "analysis/machine/Machine.h"
#include "analysis/sharing/routes/RouteTable.h"
#include "analysis/sharing/routes/SharingBounds.h"
#include "analysis/sharing/routes/SharingCosts.h"

#include <optional>
#include <string>

namespace sendwright {

/// What one method makes of a pattern.
struct SharedRoutes {
  std::string method; ///< for a person to read: "direct", "store-and-forward in 3 dimensions", ...
  RouteTable table;
  SharingFigures figures;
  double seconds = 0;    ///< predicted for one instance
  bool verified = false; ///< the simulator brought every message to its destination exactly once
};

/// Messages that ranks send, by the thesis's counters and by how many ranks they really send to.
struct PhaseCounters {
  std::int64_t counterMax = 0, unionMax = 0;
  double counterAverage = 0, unionAverage = 0;
};

/// All methods.
struct SharingAnalysis {
  SharedRoutes direct, phaseOne, phaseTwo;
  PhaseCounters phaseOneCounters, phaseTwoCounters;
  std::vector<SharedRoutes> storeAndForward; ///< in 2, 3, ... dimensions
  std::vector<SharedRoutes> groupSharing;    ///< the best with each number of stages, and by nodes
  SharingBounds bounds;

  /// The fastest verified one; of equally fast ones the first of those above.
  const SharedRoutes &selected() const;
};

/// `bytesPerItem` is the size of an item of the pattern, in bytes (1 where items are bytes).
/// Deterministic; thread safe, as it has no state. Time: 512 ranks take about a second, 4,096 ranks
/// with 60 messages each some ten (test/benchmark/sharing/run measures it). Memory: the routes of
/// all methods.
SharingAnalysis analyzeSharing(const ExchangePattern &pattern, const Machine &machine,
                               double bytesPerItem);

/// The routes to use, and what sending directly would take.
struct SharingChoice {
  SharedRoutes routes;
  double directSeconds = 0;
  bool shares() const { return routes.table.stages > 1; }
};

/// What analyzeSharing() selects.
SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem);

} // namespace sendwright

#endif
