// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of three ranks for tests of plan files: one through a rank, one without parts.

#ifndef SENDWRIGHT_TEST_ANALYSIS_SHARING_SHAREDEXCHANGESSAMPLE_H
#define SENDWRIGHT_TEST_ANALYSIS_SHARING_SHAREDEXCHANGESSAMPLE_H

#include "analysis/plan/Plan.h"
#include "analysis/sharing/SharedExchanges.h"

namespace sendwright {

/// The plan has at least two sites.
inline void addSharedExchanges(RankCountPlan &sharing) {
  const Communicator everyone{{0, 1, 2}, 0, false}, two{{2, 0}, 4, false};
  for (const std::size_t site : {0, 1}) {
    sharing.sites[site].decision = Decision::Rewrite;
    sharing.sites[site].transformation = "message-sharing";
  }
  sharing.of<SharedExchanges>().exchanges = {{0, everyone, "a chain", 2, 2, {0, 2}},
                                             {1, two, "direct", 0, 0}};
  sharing.of<SharedExchanges>().rankExchanges.resize(3);
  const ExchangePattern pattern{3, {{0, 1, 1}, {0, 2, 1}}};
  const RouteTable table{2, {{{0, 1}}, {{0, 1}, {1, 2}}}};
  const std::vector<RankExchange> parts = partsOfRanks(0, pattern, {{5}, {0, 7}}, table);
  for (std::size_t rank = 0; rank < 3; ++rank)
    sharing.of<SharedExchanges>().rankExchanges[rank] = {parts[rank]};
}

} // namespace sendwright

#endif
