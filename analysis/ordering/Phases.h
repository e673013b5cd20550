// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication phases of a run: which batches of different ranks belong together, and what each
// rank does after its part of a phase.
//
// Batches have no common clock. A rank counts its batches of each loop since the ranks last
// synchronised, and a rank that has received a message has counted at least as far as its sender
// had (a logical clock, L. Lamport 1978). The batches of one loop with the same count after the
// same synchronisation form one phase. So a function that serves two phases in turn gives two
// phases, and a rank without messages in one of them is in step again once it receives something.
//
// Phases in which every rank has the same destinations are one pattern: the runtime recognises
// phases by their destinations and could not tell them apart.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_PHASES_H
#define SENDWRIGHT_ANALYSIS_ORDERING_PHASES_H

#include "analysis/ordering/FollowingPaths.h"
#include "analysis/ordering/StaggeredOrder.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// What one rank does after its part of a phase, up to the next synchronisation of the ranks or
/// until the pattern comes again; means over the phases of a pattern. Times in seconds.
struct Tail {
  double work = 0;
  double noise = 0;         ///< how uncertain `work` is
  double sends = 0;         ///< messages that it sends there
  double bytes = 0;         ///< of these messages
  double busy = 0;          ///< work after its own sends and before the last message has arrived
  double path = 0;          ///< the longest chain of work and messages that follows, on any ranks
  std::uint64_t phases = 0; ///< in which the rank sent or received; if 0, the rest is 0
};

/// The phases of one loop with the same destinations at every rank.
struct Pattern {
  int site = 0;
  std::uint64_t phases = 0; ///< how many there are
  SizedLists given;         ///< by rank, as sent in the first phase
  std::vector<Tail> tails;  ///< by rank
  double computation = 0;   ///< seconds between the sends of a phase: mean of each phase's largest
  bool allAtOnce = false;   ///< its sends are non-blocking
  bool follows = false;     ///< another phase precedes it since the last synchronisation
  std::uint64_t messages = 0, bytes = 0; ///< of one phase
};

struct FoundPatterns {
  std::vector<Pattern> patterns;    ///< most frequent first, for every loop
  std::vector<EventPosition> stuck; ///< where ranks wait forever: later events are left out
};

/// The patterns of all loops, at most `most` of each loop. O(e log e) for e unrolled events.
/// Without `paths`, Tail::path is 0. With `paths` it is counted up to where the ranks of a phase
/// synchronise next; if no rank synchronises before the end of the program, it is the excess over
/// the shortest path of the phase. Throws FormatError if the patterns of so many ranks need too
/// much memory; the message begins with `name`, the name of the profile.
FoundPatterns findPatterns(const Timeline &timeline, const SendLoops &loops, std::size_t most,
                           const std::string &name, const FollowingPaths *paths = nullptr);

} // namespace sendwright

#endif
