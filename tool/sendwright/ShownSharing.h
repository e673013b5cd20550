// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exchanges of a plan whose messages are shared, for `sendwright show`.

#ifndef SENDWRIGHT_TOOL_SENDWRIGHT_SHOWNSHARING_H
#define SENDWRIGHT_TOOL_SENDWRIGHT_SHOWNSHARING_H

#include "analysis/plan/Plan.h"

#include <nlohmann/json.hpp>

namespace sendwright {

/// Of each exchange "site" (an index), "method", "stages", "messages", "members" and "instance" of
/// its communicator; "sends" and "receives": per stage the most combined messages of a rank.
nlohmann::ordered_json sharedExchangesJson(const RankCountPlan &plan);

/// A few lines on standard output; nothing where no messages are shared.
void printSharedExchanges(const RankCountPlan &plan);

} // namespace sendwright

#endif
