// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best of group sharing: searches by arc elimination from several starts, a short one from
// each, a longer one from what is best then.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSELECTION_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSELECTION_H

#include "analysis/sharing/search/RouteJudge.h"

namespace sendwright {

/// For each number of stages that was tried (2, 3 and that of the fastest grid) the fastest routes
/// found. Starts are groups of several sizes and virtual grids; where the machine has several ranks
/// on a node, also its nodes, and messages within a node then weigh what they cost. Empty below
/// three ranks. `grids` are the routes over virtual grids of 2, 3, ... dimensions. Deterministic.
std::vector<SharedRoutes> shareInGroups(const RouteJudge &judge,
                                        const std::vector<SharedRoutes> &grids);

} // namespace sendwright

#endif
