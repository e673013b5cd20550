// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: every method's routes for a pattern, verified, with what they cost; and the
// fastest of them by the cost model, which may be to send directly.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_SHARING_H

#include "analysis/cost/Machine.h"
#include "analysis/sharing/RouteTable.h"
#include "analysis/sharing/SharingCosts.h"

#include <string>

namespace sendwright {

/// What one method makes of a pattern.
struct SharedRoutes {
  std::string method; ///< "direct", "store-and-forward in 3 dimensions", ...
  RouteTable table;
  SharingFigures figures;
  double seconds = 0;    ///< predicted for one instance
  bool verified = false; ///< the simulator brought every message to its destination exactly once
};

/// The routes to use, and what sending directly would take.
struct SharingChoice {
  SharedRoutes routes;
  double directSeconds = 0;
  bool shares() const { return routes.table.stages > 1; }
};

/// The fastest verified routes by the model; direct ones where nothing is faster. `bytesPerItem` is
/// the size of an item of the pattern, in bytes (1 where items are bytes). Deterministic. Thread
/// safe, as it has no state.
SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem);

} // namespace sendwright

#endif
