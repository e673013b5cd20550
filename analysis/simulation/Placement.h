// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks of a run share a node.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_PLACEMENT_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_PLACEMENT_H

#include "analysis/machine/Machine.h"
#include "analysis/trace/Profile.h"

namespace sendwright {

/// The machine with the ranks placed as in the recorded run, by the names of their hosts. Only a
/// machine with node ports is asked where ranks are; and the run must have had several hosts, with
/// at most `ranks_per_node` ranks on each: another run, as on one computer, says nothing about the
/// machine. Otherwise the machine is returned as it is. O(ranks log ranks).
Machine placedAsRecorded(const Machine &machine, const Profile &profile);

} // namespace sendwright

#endif
