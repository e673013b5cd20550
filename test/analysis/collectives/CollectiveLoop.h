// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the loops of this folder's tests stand, and why they run as written.

#ifndef TEST_ANALYSIS_COLLECTIVES_COLLECTIVELOOP_H
#define TEST_ANALYSIS_COLLECTIVES_COLLECTIVELOOP_H

#include "analysis/collectives/ConfirmedCollectives.h"
#include "analysis/trace/Profile.h"

#include <optional>
#include <string>

constexpr unsigned loopLine = 10;

inline sendwright::SiteIdentity identityAt(unsigned line) {
  return {"app.c", "exchange", line, 0, line, ""};
}

inline std::optional<sendwright::CollectiveObstacle>
obstacleOf(const sendwright::CollectiveFinding &finding) {
  return finding.refusal ? std::optional(finding.refusal->obstacle) : std::nullopt;
}

/// The sentence of the finding's refusal; "" without a refusal.
inline std::string refusalOf(const sendwright::CollectiveFinding &finding) {
  return finding.refusal ? textOf(*finding.refusal) : "";
}

#endif
