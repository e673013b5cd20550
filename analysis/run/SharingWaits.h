// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether ranks would wait for one another in a circle if exchanges were shared, or if loops became
// collective operations.
//
// A message that travels through other ranks arrives only when these have entered the exchange.
// Which ranks these are depends on the routes; here they are assumed to be all ranks that send in
// it: a receive of a shared exchange ends when every one of them has entered the instance. So does
// a receive that takes another message behind one of the exchange. The run is followed with these
// waits added, in the strictest way that MPI allows: collectives wait for all members, and messages
// that are not shared are not buffered, unless they are no larger than messages that the run itself
// must have buffered. If ranks get stuck, the exchanges that they wait for are not shared. In a
// collective operation a rank waits for all others where it enters.

#ifndef SENDWRIGHT_ANALYSIS_RUN_SHARINGWAITS_H
#define SENDWRIGHT_ANALYSIS_RUN_SHARINGWAITS_H

#include "analysis/run/CircularWait.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace sendwright {

/// One execution of an exchange by all its ranks.
struct ExchangeInstance {
  int site = 0;
  std::vector<EventPosition> entries; ///< where each rank has entered: its messages are known then
  bool meets = false; ///< ranks wait there for one another, as in a collective operation
};

struct SharedMessages {
  static constexpr std::int64_t none = -1;
  std::vector<ExchangeInstance> instances;
  std::vector<std::int64_t> instanceOf; ///< by message of the timeline; `none`: not shared
  /// A message that its receive takes only after an earlier message with its envelope.
  struct Behind {
    std::size_t message = 0;  ///< index into the timeline's messages
    std::size_t instance = 0; ///< of the earlier message
  };
  std::vector<Behind> behind = {};
};

/// The sites of `shared` that would leave ranks waiting in a circle, and how. Instances without a
/// site (noSite) always execute. All other sites may be shared in the same run. Near linear in the
/// timeline, times the number of sites found.
std::map<int, CircularWait> findCircularWaits(const Timeline &timeline,
                                              const SharedMessages &shared);

} // namespace sendwright

#endif
