// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of a program are send loops, and what a batch around each of them would hold.
//
// Every loop that communicates left a mark where it began and ended; marks nest. A send belongs to
// the innermost loop around it, but that need not be the loop to rewrite: if a loop over the sides
// of a box contains a loop over directions, the outer loop has more messages to order. So going
// outwards from the innermost loop, the last loop that adds destinations is chosen, as long as
// nothing in it makes an open batch issue its messages before the last of them.

#ifndef SENDWRIGHT_ANALYSIS_RUN_SENDLOOPS_H
#define SENDWRIGHT_ANALYSIS_RUN_SENDLOOPS_H

#include "analysis/run/Timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// Messages that are issued together: captured in one execution of a loop, up to its end or to the
/// first call that ends the batch.
struct RecordedBatch {
  int site = 0;                   ///< of the loop to rewrite
  std::size_t first = 0, end = 0; ///< its sends: RankBatches::sends[first, end)
  std::size_t issued = 0;         ///< position where it is issued
  double computation = 0;         ///< seconds between its first and its last send, without what
                                  ///< interruptions by the system add
};

struct RankBatches {
  std::vector<RecordedBatch> batches; ///< by time
  std::vector<std::size_t> sends;     ///< positions in the rank's timeline
};

/// What one marked loop did, over all ranks and unrolled executions.
struct LoopFacts {
  std::uint64_t sends = 0;       ///< deferrable sends in its own text or below, without inner loops
  std::uint64_t synchronous = 0; ///< MPI_Ssend and MPI_Issend
  std::uint64_t exchanges = 0;   ///< MPI_Sendrecv
  std::uint64_t toOtherGroups = 0; ///< on intercommunicators
  std::size_t destinations = 0;    ///< most distinct destinations of one execution, including inner
                                   ///< loops
  std::size_t batchDestinations = 0; ///< most distinct destinations of one batch of this loop
  bool separated = false;            ///< a call between two sends of an execution ends the batch
  MpiFunctionId separator = MpiFunctionId::Send; ///< the first such call
  bool waitsForOwnSends = false; ///< it completes non-blocking sends of the loop, and nothing else
  int batchSite = -1;  ///< the loop whose batches hold its sends (itself or an outer loop)
  std::string refusal; ///< why the compiler would leave the loop as written, or ""
};

struct SendLoops {
  std::vector<LoopFacts> loops; ///< one for each site of the profile
  std::vector<RankBatches> ranks;
};

/// Text traces name sites without marking where a loop begins: there an execution is what lies
/// between two collectives, or between two sends of other sites. A loop that the compiler would
/// leave alone does not hold batches for the loops inside it. `refusals`: by site, why the compiler
/// would leave it alone (ProgramSummary.h, loopRefusals()); empty: for no loop.
/// Linear in the timeline times the depth of loops.
SendLoops findSendLoops(const Profile &profile, const Timeline &timeline,
                        const std::vector<std::string> &refusals);

} // namespace sendwright

#endif
