// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The port that the ranks of a node share on their way to the network: ranks of one node send to
// ranks of another, in pairs, all at the same time.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_NODEPORT_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_NODEPORT_H

#include "analysis/calibration/Calibration.h"
#include "runtime/calibration/Placement.h"

#include <vector>

namespace sendwright {

struct MeasuredNodePort {
  int pairs = 0; ///< below 2: there are not two ranks on each of two nodes, and no rounds
  std::vector<NodePortRound> rounds;
};

/// Collective over the communicator of the placement; all ranks get the same. Takes about `seconds`
/// seconds, with at least three rounds.
MeasuredNodePort measureNodePort(const Placement &placement, double seconds);

} // namespace sendwright

#endif
