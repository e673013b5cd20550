// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing: a send loop whose messages travel combined, some through other ranks. The batch
// around the loop (PlannedLoops.h) collects them and hands them to the exchange at its end; the
// receives stay as they are, wherever they stand. Here is what is said of it.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_SHARING_MESSAGESHARING_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_SHARING_MESSAGESHARING_H

#include "tool/unit/PlannedLoops.h"

#include <string>
#include <vector>

namespace sendwright {

/// What the remark of a shared loop says, without the site.
std::string describeSharing(const SitePlan &site);

/// Adds to the comment above the loop: the method and its figures, and what some ranks send and
/// pass on in each stage.
void explainSharing(const PlannedLoop &planned, std::vector<std::string> &lines);

/// "; not shared because REASON", or "" where the plan has no reason.
std::string notSharedNote(const SitePlan &site);

} // namespace sendwright

#endif
