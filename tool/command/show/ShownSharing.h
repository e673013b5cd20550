// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message sharing in a plan: what it says of a send loop as an exchange, and the exchanges that are
// shared.

#ifndef SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSHARING_H
#define SENDWRIGHT_TOOL_COMMAND_SHOW_SHOWNSHARING_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

/// Prints, where there is something to say, the figures of its messages sent directly and by the
/// fastest routes, or why it is not shared.
void printSharing(std::FILE *out, const SitePlan &plan);

/// Of each exchange "site" (an index), "method", "stages", "messages", "members" and "instance" of
/// its communicator; "sends" and "receives": per stage the most combined messages of a rank.
nlohmann::ordered_json sharedExchangesJson(const RankCountPlan &plan);

/// A few lines on standard output; nothing where no messages are shared.
void printSharedExchanges(const RankCountPlan &plan);

} // namespace sendwright

#endif
