// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of MPI_Wait and MPI_Waitall in which ranks spend so much of the run that the compiler
// moves them, or says why not; for a person and as JSON.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNLONGWAITS_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNLONGWAITS_H

#include "analysis/plan/Plan.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace sendwright {

/// An array with an object for each call.
nlohmann::ordered_json longWaitsJson(const RankCountPlan &plan);
/// Prints a line for each after a heading, or nothing.
void printLongWaits(std::FILE *out, const RankCountPlan &plan);

} // namespace sendwright

#endif
