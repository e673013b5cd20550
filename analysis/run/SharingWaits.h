// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether ranks would wait for one another in a circle if exchanges were shared, or loops became
// collective operations.
//
// A message that travels through others arrives only when those have entered the exchange. Which
// ranks these are depends on the routes; here it is all that send in it: a receive of a shared
// exchange ends when every one of them has entered the instance. The run is followed with these
// waits added, and as MPI allows it to be executed: collectives wait for all, and messages that are
// not shared are not buffered, but for those no larger than what the run itself cannot do without.
// Where ranks are stuck, the exchanges that they wait for are not shared. In a collective operation
// a rank waits for all others where it enters.

#ifndef SENDWRIGHT_ANALYSIS_RUN_SHARINGWAITS_H
#define SENDWRIGHT_ANALYSIS_RUN_SHARINGWAITS_H

#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sendwright {

/// One execution of an exchange by all its ranks.
struct ExchangeInstance {
  int site = 0;
  std::vector<EventPosition> entries; ///< where each rank has entered: its messages are known
  bool meets = false; ///< ranks wait there for one another, as in a collective operation
};

struct SharedMessages {
  static constexpr std::int64_t none = -1;
  std::vector<ExchangeInstance> instances;
  std::vector<std::int64_t> instanceOf; ///< per message of the timeline; `none`: it is not shared
};

/// Instances of noSite are there whatever happens. The sites among those of `shared` that would
/// leave ranks waiting in a circle, each with the reason: part of a sentence. The others may all be
/// shared in one run. Near linear in the timeline, times the number of sites found.
std::map<int, std::string> findCircularWaits(const Timeline &timeline,
                                             const SharedMessages &shared);

} // namespace sendwright

#endif
