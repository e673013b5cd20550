// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a run is cut that is too long to be analysed event by event, or whose recording stopped.
// Equally many events of each rank would end in different iterations where ranks have different
// numbers of neighbours, and a replay would wait there for what was cut off. So no rank goes beyond
// what the others have done for it: a receive is complete only if its message was sent, and a
// collective operation is entered by all its ranks or by nobody. Such cuts form a lattice, and the
// greatest is found by removing what lacks something until nothing does.

#ifndef SENDWRIGHT_ANALYSIS_RUN_CONSISTENTCUT_H
#define SENDWRIGHT_ANALYSIS_RUN_CONSISTENTCUT_H

#include "analysis/trace/Matching.h"
#include "analysis/trace/Profile.h"

#include <cstdint>

namespace sendwright {

/// The beginning of the run, of at most `limit` events of all ranks (in the costs of RunSize.h), or
/// the whole run if it fits and was recorded completely. Each rank gets the same fraction of its
/// run; if ranks that wait for others leave room, the others get it. The beginning ends with a
/// collective operation of all ranks if at least half of these events lie before it. A message
/// whose receive is cut off has no receive, and its sender waits for nothing.
///
/// Costs what matchMessages() costs, at most six times.
Matching matchBeginning(const Profile &profile, std::uint64_t limit);

} // namespace sendwright

#endif
