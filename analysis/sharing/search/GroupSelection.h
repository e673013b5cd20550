// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches for the best group sharing by arc elimination: a short search from each of several
// starts, then a longer search from the best results.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSELECTION_H
#define SENDWRIGHT_ANALYSIS_SHARING_SEARCH_GROUPSELECTION_H

#include "analysis/sharing/search/RouteJudge.h"

namespace sendwright {

/// For each number of stages tried (2, 3 and that of the fastest grid), the fastest routes found.
/// The starts are groups of several sizes and virtual grids. If the machine has several ranks on a
/// node, its nodes as groups and their aggregation in three steps are starts, too, and messages
/// within a node have weights of their own. A thorough search also begins with aggregation by other
/// numbers of ranks. Empty for fewer than three ranks. `grids`: the routes over virtual grids of 2,
/// 3, ... dimensions. Deterministic.
std::vector<SharedRoutes>
shareInGroups(const RouteJudge &judge, const std::vector<SharedRoutes> &grids, SearchEffort effort);

} // namespace sendwright

#endif
