// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a run hangs on each of its receives: the longest chain of computation and messages
// that follows a point of a rank's run, to the end of the program.
//
// It generalises the published key of message ordering, the work W of the receiver and the sends
// that follow it up to where the ranks synchronise: a send may start a chain at its receiver that
// is longer than what its sender has left to do. The model is that of the key. A send takes one
// unit, a receive nothing, and a message that its receiver has nothing to do with before it
// synchronises takes no time. Where all messages that follow are such ones, what is left to the
// next synchronisation is exactly W + sends.

#ifndef SENDWRIGHT_ANALYSIS_ORDERING_FOLLOWINGPATHS_H
#define SENDWRIGHT_ANALYSIS_ORDERING_FOLLOWINGPATHS_H

#include "analysis/machine/Machine.h"
#include "analysis/run/Timeline.h"

#include <cstddef>
#include <vector>

namespace sendwright {

/// Seconds of one send in the model of the key: the processor's or the port's, whichever takes
/// longer; never 0.
double sendUnit(const LinkParameters &link);

class FollowingPaths {
public:
  /// Goes backwards through the run. O(n log p) for n events of p ranks; eight bytes for each
  /// event. Collective calls that do not synchronise all their members take no time, and what a
  /// run that was cut lacks is nothing.
  FollowingPaths(const Timeline &timeline, const Machine &machine);

  /// Seconds of the longest chain from where `rank` is done with the event at `position`.
  double after(std::size_t rank, std::size_t position) const { return lengths[rank][position]; }

private:
  std::vector<std::vector<double>> lengths; // by rank, position
};

} // namespace sendwright

#endif
