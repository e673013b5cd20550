// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found of the send loops of a run, for tests.

#ifndef SENDWRIGHT_TEST_ANALYSIS_SHARING_FOUNDEXCHANGES_H
#define SENDWRIGHT_TEST_ANALYSIS_SHARING_FOUNDEXCHANGES_H

#include "test/analysis/planner/PlannerFixture.h"

#include "analysis/sharing/SharableExchanges.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace sendwright {

/// Rank 0 sends to all other ranks, and they send to it.
inline const SendLists starLists{{1, 2, 3}, {0, 2}, {0, 3}, {0, 1}};

inline ExchangeFinding findingAt(const RunBuilder &run, unsigned line) {
  const Timeline timeline = unroll(run.profile, 1'000'000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  for (ExchangeFinding &finding : findSharableExchanges(run.profile, timeline, loops))
    if (run.profile.sites[finding.site].line == line)
      return std::move(finding);
  ADD_FAILURE() << "no send loop at line " << line;
  return {};
}

/// The text of the finding's refusal; "" if the exchange may be shared.
inline std::string refusalText(const ExchangeFinding &finding) {
  return finding.refusal ? textOf(*finding.refusal) : "";
}

/// Expects the exchange not to be shared for this reason, which names what `text` says.
inline void expectRefused(const RunBuilder &run, SharingObstacle obstacle, const char *text = "") {
  const ExchangeFinding finding = findingAt(run, 10);
  ASSERT_TRUE(finding.refusal);
  EXPECT_EQ(finding.refusal->obstacle, obstacle) << textOf(*finding.refusal);
  EXPECT_NE(textOf(*finding.refusal).find(text), std::string::npos) << textOf(*finding.refusal);
  EXPECT_TRUE(finding.exchange.messages.empty());
}

} // namespace sendwright

#endif
