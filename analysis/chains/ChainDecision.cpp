// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of exchanges, as the planner sees them: it keeps which of them were measured to be slower
// than as written.

#include "analysis/chains/ExchangeChains.h"
#include "analysis/transformation/Transformation.h"

namespace sendwright {

namespace {

class ChainDecision final : public Transformation {
public:
  std::string_view stem() const override { return exchangeChainsStem; }
  void study(StudiedRun &) override {}
  void explainMissed(SitePlan &plan, const std::optional<RefusalText> &reason) const override {
    plan.of<SiteChain>().refusal = reason;
  }
  std::optional<RefusalText> missedReason(const SitePlan &plan) const override {
    return plan.of<SiteChain>().refusal;
  }
};

} // namespace

std::unique_ptr<Transformation> makeExchangeChains();
std::unique_ptr<Transformation> makeExchangeChains() { return std::make_unique<ChainDecision>(); }

} // namespace sendwright
