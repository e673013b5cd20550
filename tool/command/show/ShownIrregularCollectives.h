// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan says about irregular collectives, for a person and as JSON.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNIRREGULARCOLLECTIVES_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNIRREGULARCOLLECTIVES_H

#include "analysis/plan/Plan.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace sendwright {

/// An array with an object for each function and communicator.
nlohmann::ordered_json irregularCollectivesJson(const RankCountPlan &plan);
/// Prints a few lines for each, or nothing.
void printIrregularCollectives(std::FILE *out, const RankCountPlan &plan);

} // namespace sendwright

#endif
