// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a run that learns begins to share what a loop sends: neither before the run has lasted long
// enough to be likely to pay back what the start costs, nor much later.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_STARTOFSHARING_H
#define SENDWRIGHT_ANALYSIS_SHARING_STARTOFSHARING_H

#include "analysis/machine/Machine.h"

#include <cstddef>
#include <cstdint>

namespace sendwright {

/// What sharing gains in one execution of a loop, and how long that takes as written, in seconds;
/// 0: not known.
struct ExecutionGain {
  double gain = 0; ///< above 0
  double seconds = 0;
};

/// After how many executions of a loop it is worth starting to share what it sends: a run is likely
/// to go on for as long as it has run already. Before a collective call the start takes a rank a
/// message to each child of the tree of all `ranks` (GatherTree.h), and two meetings; elsewhere
/// (`atCall` is false) a message to each rank and to each child, as many from them, and a meeting.
/// If sharing gains only a small part of an execution, it takes a run long to gain what the start
/// has cost: then the run shall have lasted longer, so that a start in vain costs a small part of
/// it.
std::uint64_t executionsWorthStart(const ExecutionGain &of, std::size_t ranks,
                                   const Machine &machine, bool atCall = false);

} // namespace sendwright

#endif
