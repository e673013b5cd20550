// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long ranks wait in the sends of each loop, or for them to complete, by the times in the
// profile.

#ifndef SENDWRIGHT_ANALYSIS_COMPLETION_WAITINGSENDS_H
#define SENDWRIGHT_ANALYSIS_COMPLETION_WAITINGSENDS_H

#include "analysis/completion/CompletionRefusal.h"
#include "analysis/machine/Machine.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// MPI_Send or MPI_Isend, which MPI may complete before the receive is posted.
constexpr bool isStandardSend(MpiRole role) {
  return role == MpiRole::Send || role == MpiRole::NonblockingSend;
}

/// The standard sends in one loop's own text, of all ranks.
struct WaitingSends {
  std::uint64_t sends = 0;
  std::uint64_t smallest = 0, largest = 0; ///< bytes, of those that can wait; 0: there are none
  std::uint64_t tooLarge = 0;              ///< bytes of the largest send that is not copied
  bool measured = false;                   ///< the profile has times
  double waiting = 0; ///< seconds of one execution that the rank which waits most spends in them,
                      ///< beyond what the machine needs for their messages
  double percent = 0; ///< of that rank's run, including what the machine needs
};

/// Bytes of the smallest message that waits for its receive on some link of the machine.
std::uint64_t leastWaitingBytes(const Machine &machine);

/// One entry for each site of the profile. Sends of more than `most` bytes are only noted. Linear
/// in the kinds of events.
std::vector<WaitingSends> findWaitingSends(const Profile &profile, const Timeline &timeline,
                                           const Machine &machine, std::uint64_t most);

/// Why sends at a site complete as written; nothing if they may complete early. `facts`: of the
/// site.
std::optional<CompletionRefusal> whyNotEarly(const WaitingSends &found, const LoopFacts &facts,
                                             int site, std::uint64_t least, std::uint64_t most,
                                             double thresholdPercent);

} // namespace sendwright

#endif
