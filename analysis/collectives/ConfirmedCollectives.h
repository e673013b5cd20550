// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops that look like collective operations in the source are such in the run.
//
// The source shows what a loop would have to be (CollectiveSummary.h). In the run
// - all messages of its sends must come to its receives, and nothing else to these;
// - they are on one communicator, with one tag, or of MPI_Sendrecv one in each step, and, where
// there is one, one root;
// - all ranks of the communicator take part, once in each execution, with blocks of one size;
// - nobody else could meet its messages (MatchingConflicts.h), but loops of which the same is
// known;
// - that ranks wait there for all others leaves no rank waiting in a circle (SharingWaits.h).

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_CONFIRMEDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_CONFIRMEDCOLLECTIVES_H

#include "analysis/program/CollectiveSummary.h"
#include "analysis/run/LoopInstances.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// What is known of one loop as a collective operation.
struct CollectiveFinding {
  int site = 0; ///< of the loop, in the profile
  Collective operation = Collective::Broadcast;
  std::string missing; ///< why it is none, part of a sentence; "": it is one, and only then the
                       ///< rest is known
  Communicator communicator;
  std::uint32_t root = 0;              ///< a rank of the communicator; 0 where there is none
  std::uint64_t bytes = 0;             ///< as CollectiveTask has them, the most of an instance
  std::uint64_t leastBytes = 0;        ///< likewise, the least
  std::vector<LoopInstance> instances; ///< those that are unrolled as a whole
  bool exchanges = false; ///< in each step a rank sends and receives, by one call (MPI_Sendrecv)
};

/// Of every candidate whose loop is in the profile, by site. `timeline` and `loops` must be of
/// `profile`. O(e log e) for e unrolled events, times the candidates for events that differ.
std::vector<CollectiveFinding>
confirmCollectives(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                   const std::vector<CollectiveInSource> &candidates);

} // namespace sendwright

#endif
