// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication phases of a run: which batches of different ranks belong together, and what each
// rank does after its part of a phase.
//
// Batches have no common clock. A rank counts its batches of each loop since the ranks were last
// synchronised, and a rank that has received a message has counted at least as far as its sender
// had (a logical clock, L. Lamport 1978). The batches of one loop with the same count after the
// same synchronisation are one phase. So a function that serves two phases in turn is told apart,
// and a rank without messages in one of them does not fall out of step once it receives something.
//
// Phases in which every rank has the same destinations are one pattern: the runtime knows them by
// their destinations and could not tell them apart.

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

/// What one rank does after its part of a phase, up to the next synchronisation of the ranks or to
/// where the pattern comes again; means over the phases of a pattern. Seconds, but for sends.
struct Tail {
  double work = 0;
  double noise = 0;         ///< how uncertain `work` is
  double sends = 0;         ///< messages it sends there
  double bytes = 0;         ///< in them
  double busy = 0;          ///< work after its own sends, before the last message has arrived
  double path = 0;          ///< the longest chain of work and messages that follows, of any ranks
  std::uint64_t phases = 0; ///< in which the rank sent or received; 0: the rest is 0
};

/// The phases of one loop with the same destinations at every rank.
struct Pattern {
  int site = 0;
  std::uint64_t phases = 0; ///< how many there are
  SizedLists given;         ///< per rank, as sent in the first of them
  std::vector<Tail> tails;  ///< per rank
  double computation = 0;   ///< seconds between the sends of a phase: mean of the largest
  bool allAtOnce = false;   ///< its sends are non-blocking
  bool follows = false;     ///< another phase precedes it since the last synchronisation
  std::uint64_t messages = 0, bytes = 0; ///< of one phase
};

struct FoundPatterns {
  std::vector<Pattern> patterns;    ///< of every loop the most frequent ones first
  std::vector<EventPosition> stuck; ///< where ranks wait for ever: what they do later is left out
};

/// The patterns of all loops, at most `most` of a loop. O(e log e) for e unrolled events.
/// Tail::path is left 0 without `paths`; with them it is counted up to where the ranks of a phase
/// synchronise next, or where no rank does to the end of the program, from the shortest one on.
/// Throws FormatError where the patterns of so many ranks need too much memory; `name`, that of the
/// profile, begins the message.
FoundPatterns findPatterns(const Timeline &timeline, const SendLoops &loops, std::size_t most,
                           const std::string &name, const FollowingPaths *paths = nullptr);

} // namespace sendwright

#endif
