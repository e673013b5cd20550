// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing in a plan: what the plan says of a send loop as an exchange, and which exchanges
// are shared.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSHARING_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSHARING_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// Prints the figures of the loop's messages sent directly and by the fastest routes, or why it is
/// not shared. Prints nothing where the plan says nothing.
void printSharing(std::FILE *out, const SitePlan &plan);

/// For each exchange "site" (an index), "method", "stages", "messages", "members" and "instance" of
/// its communicator; "sends" and "receives": for each stage, the most combined messages of any
/// rank.
nlohmann::ordered_json sharedExchangesJson(const RankCountPlan &plan);

/// A few lines on standard output; nothing where no messages are shared.
void printSharedExchanges(const RankCountPlan &plan);

} // namespace sendwright

#endif
