// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ranks' parts of a collective are the operation: the schedule is carried out on
// symbols. Matching is the runtime's: the k-th send from a to b meets the k-th receive of b from a.
// Sends are begun and not waited for; a receive waits.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVEVERIFICATION_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_COLLECTIVEVERIFICATION_H

#include "analysis/collectives/PlannedCollectives.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// Why the steps `parts`, one list for each member in the order of the communicator, are not the
/// operation; nothing where they are. Ranks in the text are world ranks. Linear in the steps and in
/// the slots that their messages carry.
std::optional<std::string>
contradictionIn(const PlannedCollective &collective,
                const std::vector<const std::vector<CollectiveStep> *> &parts);

} // namespace sendwright

#endif
