// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to what a plan holds of sends that complete early and of waits that move.

#ifndef SENDWRIGHT_TEST_FUZZ_COMPLETIONMUTATIONS_H
#define SENDWRIGHT_TEST_FUZZ_COMPLETIONMUTATIONS_H

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/transformation/RankCountPlan.h"
#include "test/fuzz/Draw.h"

namespace sendwright::fuzz {

/// Each changes one thing; where a plan has none of it, the first two add one.
void mutateEarly(RankCountPlan &part, Draw &draw);
void mutateWaits(RankCountPlan &part, Draw &draw);
void mutateCompletion(SiteCompletion &completion, Draw &draw);
void mutateRefusal(std::optional<RefusalText> &refusal, Draw &draw);

} // namespace sendwright::fuzz

#endif
