// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the logical clocks of Phases.h over a profile: finds which batches form a phase, and where
// each rank is done with its part.

#ifndef SENDWRIGHT_ANALYSIS_RUN_LOGICALCLOCKS_H
#define SENDWRIGHT_ANALYSIS_RUN_LOGICALCLOCKS_H

#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// The batches of one loop that belong together.
struct Phase {
  int site = 0;
  std::uint32_t epoch = 0; ///< synchronisations before it
  std::uint32_t count = 0; ///< number of this phase of the loop since then, from 1
  struct Member {
    int rank;
    std::size_t batch; ///< index into RankBatches::batches
  };
  std::vector<Member> members; ///< by rank
};

/// A rank's part of a phase.
struct Part {
  std::size_t phase = 0;
  std::size_t begin = 0; ///< position of its first send; `ready` if it sends nothing
  std::size_t sent = 0;  ///< position where its own batch is issued; `ready` without a batch
  std::size_t ready = 0; ///< position where everything is sent and received
};

/// The result of the clocks.
struct ClockedRun {
  std::vector<Phase> phases;
  std::vector<std::vector<Part>> parts; ///< by rank, then phase
  std::vector<EventPosition> stuck;     ///< where ranks wait forever, by rank
};

/// A rank without a message in the first phases after a synchronisation cannot count them. If the
/// receivers of its first batch are further on, it is counted as theirs (in a second run).
///
/// Linear in the timeline, except for sorting. A rank that waits for a message or a synchronisation
/// that never comes is stuck: what it does after this point is left out.
ClockedRun runLogicalClocks(const Timeline &timeline, const SendLoops &loops);

} // namespace sendwright

#endif
