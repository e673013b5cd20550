// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan says about each site: the decision, and every transformation's figures.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNPLANSITES_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNPLANSITES_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <vector>

namespace sendwright {

/// By site: how many ranks have an order for it. Linear in the orders.
std::vector<std::size_t> ranksWithOrders(const RankCountPlan &part);

/// An array with an object for each site, in the order of the plan (docs/file-formats.md).
nlohmann::ordered_json planSitesJson(const RankCountPlan &part);

} // namespace sendwright

#endif
