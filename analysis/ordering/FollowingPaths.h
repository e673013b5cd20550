// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a run depends on each of its receives: the longest chain of computation and messages
// that follows a point of a rank's run, to the end of the program.
//
// This generalises the published key of message ordering, which counts the work W of the receiver
// and the sends that follow it up to the next synchronisation: a send may start a chain at its
// receiver that is longer than what its sender has left to do. The model is that of the key. A send
// takes one unit, a receive takes no time, and a message takes no time if its receiver has nothing
// to do with it before it synchronises. If all following messages are like this, what is left to
// the next synchronisation is exactly W + sends.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_FOLLOWINGPATHS_H
#define SENDWRIGHT_ANALYSIS_ORDERING_FOLLOWINGPATHS_H

#include "analysis/machine/Machine.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <vector>

namespace sendwright {

/// Seconds of one send in the model of the key: the time of the processor or of the port, whichever
/// is longer; never 0.
double sendUnit(const LinkParameters &link);

class FollowingPaths {
public:
  /// Walks backwards through the run. O(n log p) for n events of p ranks; eight bytes for each
  /// event. Collective calls that do not synchronise all their members take no time, and neither
  /// does what a run that was cut lacks.
  FollowingPaths(const Timeline &timeline, const Machine &machine);

  /// Seconds of the longest chain that starts when `rank` is done with the event at `position`.
  double after(std::size_t rank, std::size_t position) const { return lengths[rank][position]; }

private:
  std::vector<std::vector<double>> lengths; // by rank, position
};

} // namespace sendwright

#endif
