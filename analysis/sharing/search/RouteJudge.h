// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges routes: figures, time, and proof that they deliver.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_ROUTEJUDGE_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_ROUTEJUDGE_H

#include "analysis/sharing/search/Sharing.h"

namespace sendwright {

/// Judges routes of one pattern on one machine; both must outlive it.
class RouteJudge {
public:
  RouteJudge(const ExchangePattern &pattern, const Machine &machine, double bytesPerItem)
      : pattern(pattern), machine(machine), bytesPerItem(bytesPerItem) {}

  /// O(hops log hops), including the simulation.
  SharedRoutes judge(std::string method, RouteTable table) const;

  /// The predicted seconds alone.
  double secondsOf(const RouteTable &table) const;

  const ExchangePattern &pattern;
  const Machine &machine;
  const double bytesPerItem;
};

} // namespace sendwright

#endif
