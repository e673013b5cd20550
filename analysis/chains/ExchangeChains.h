// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of MPI_Sendrecv that are under way at the same time. The user asks the compiler for it,
// not the plan (docs/transformations/message-ordering.md), so nothing is proposed. But a run that
// verifies its plan measures chains, too, and the plan then holds which of them lost.

#ifndef SENDWRIGHT_ANALYSIS_CHAINS_EXCHANGECHAINS_H
#define SENDWRIGHT_ANALYSIS_CHAINS_EXCHANGECHAINS_H

#include "analysis/transformation/PlanParts.h"
#include "analysis/transformation/RefusalText.h"

#include <optional>
#include <string_view>

namespace sendwright {

inline constexpr std::string_view exchangeChainsStem = "exchange-chains";

/// What a site's plan says of it.
struct SiteChain : PlanPartOf<SiteChain> {
  static constexpr std::string_view partName = "chain of exchanges of a site";
  std::optional<RefusalText> refusal; ///< why its exchanges run one after the other
};

} // namespace sendwright

#endif
