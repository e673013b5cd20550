// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chains of exchanges that the compiler leaves as written, in the plan file.

#include "analysis/chains/ExchangeChains.h"
#include "analysis/transformation/PlanSections.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr std::uint32_t leftChainsTag = 20;

bool isChainLeft(const SitePlan &site) { return site.of<SiteChain>().refusal.has_value(); }

bool leavesChains(const RankCountPlan &plan) {
  return std::ranges::any_of(plan.sites, isChainLeft);
}

std::optional<std::string> encodeLeftChains(const RankCountPlan &plan, std::size_t /*rank*/) {
  ByteWriter out;
  out.number(static_cast<std::uint64_t>(std::ranges::count_if(plan.sites, isChainLeft)));
  for (std::size_t site = 0; site < plan.sites.size(); ++site)
    if (isChainLeft(plan.sites[site])) {
      out.number(site);
      out.text(sentenceOf(plan.sites[site].of<SiteChain>().refusal));
    }
  return out.take();
}

void decodeLeftChains(ByteReader &in, RankCountPlan &plan, int /*rankCount*/, int /*rank*/) {
  for (std::size_t left = in.count(1 + 1, sizeof(SiteChain)); left > 0; --left) {
    const auto site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (site >= plan.sites.size())
      in.fail("site " + std::to_string(site) + ", expected one of " +
              std::to_string(plan.sites.size()));
    plan.sites[site].of<SiteChain>().refusal = RefusalText::asRead(in.text());
  }
  in.expectEnd();
}

class ChainsInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return exchangeChainsStem; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = leftChainsTag,
             .optional = true,
             .isDue = leavesChains,
             .encode = encodeLeftChains,
             .decode = decodeLeftChains}};
  }
};

} // namespace

const PlanSections &sectionsOfExchangeChains();
const PlanSections &sectionsOfExchangeChains() {
  static const ChainsInPlan content;
  return content;
}

} // namespace sendwright
