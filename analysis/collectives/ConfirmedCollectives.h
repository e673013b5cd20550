// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops that look like collective operations in the source are collective operations in the
// run.
//
// The source shows what a loop would have to be (CollectiveSummary.h). In the run
// - all messages of its sends must come to its receives, and its receives must take no others;
// - the messages must be on one communicator, with one tag (with MPI_Sendrecv, one tag in each
//   step) and, for rooted operations, one root;
// - all ranks of the communicator must take part once in each execution, with blocks of one size;
// - no other call may meet its messages (MatchingConflicts.h), except those of loops that meet the
//   same conditions;
// - although ranks wait there for all others, no ranks may wait for one another in a circle
//   (SharingWaits.h).

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_CONFIRMEDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_CONFIRMEDCOLLECTIVES_H

#include "analysis/collectives/CollectiveRefusal.h"
#include "analysis/program/CollectiveSummary.h"
#include "analysis/run/LoopInstances.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// What is known of one loop as a collective operation.
struct CollectiveFinding {
  int site = 0; ///< of the loop, in the profile
  Collective operation = Collective::Broadcast;
  std::optional<CollectiveRefusal> refusal; ///< why it is not a collective operation; nothing if it
                                            ///< is, and only then the rest is known
  Communicator communicator;
  std::uint32_t root = 0;              ///< a rank of the communicator; 0 without a root
  std::uint64_t bytes = 0;             ///< as in CollectiveTask: the most of an instance
  std::uint64_t leastBytes = 0;        ///< likewise, the least
  std::vector<LoopInstance> instances; ///< that are unrolled completely
  bool exchanges = false; ///< in each step a rank sends and receives by one call (MPI_Sendrecv)
};

/// A finding for every candidate whose loop is in the profile, by site. `timeline` and `loops` must
/// belong to `profile`. O(e log e) for e unrolled events, times the candidates for distinct events.
std::vector<CollectiveFinding>
confirmCollectives(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                   const std::vector<CollectiveInSource> &candidates);

} // namespace sendwright

#endif
