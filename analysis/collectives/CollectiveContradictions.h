// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the ranks' parts of a collective carry out the operation, by running the schedule on
// symbols. Matching is the runtime's: the k-th send from a to b meets the k-th receive of b from a.
// Sends do not wait; a receive waits.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVECONTRADICTIONS_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVECONTRADICTIONS_H

#include "analysis/collectives/PlannedCollectives.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// Why the steps `parts`, one list for each member in the order of the communicator, do not carry
/// out the operation; nothing if they do. The text names world ranks. Linear in the steps and in
/// the slots that their messages carry.
std::optional<std::string>
contradictionIn(const PlannedCollective &collective,
                const std::vector<const std::vector<CollectiveStep> *> &parts);

} // namespace sendwright

#endif
