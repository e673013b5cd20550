// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With SENDWRIGHT_VERIFY, executions of chains take turns. A chain whose sends the plan orders or
// shares has the turns of this: its exchanges overlap in executions as planned. Other chains have
// turns of their own. Which sites are chains, no plan says: so all other sites get turns, and only
// chains execute them.

#include "runtime/chains/ChainTurns.h"

#include "analysis/chains/ExchangeChains.h"
#include "analysis/plan/Plan.h"
#include "runtime/base/Process.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"

#include <algorithm>
#include <memory>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sendwright::chains {

namespace {

struct TurnsOfSite {
  const SiteIdentity *site = nullptr; ///< in the plan
  SiteTurns *turns = nullptr;
  bool areOwn = false; ///< no scope inside the chain begins an execution
};

struct ChainTurns final : Layer {
  static constexpr LayerPlace place = LayerPlace::ChainTurns;

  std::vector<TurnsOfSite> all;
  std::unordered_map<const sendwright_site *, const TurnsOfSite *> known;
};

void takeTurns(const sendwright_unit &unit, const RankCountPlan &own, const MakeSiteTurns &make) {
  auto turns = std::make_unique<ChainTurns>();
  for (std::uint32_t number = 0; number < own.sites.size(); ++number) {
    SiteTurns *ofScope = turnsOf(unit, number);
    turns->all.push_back({&own.sites[number].site,
                          ofScope ? ofScope : make(number, TurnsEnd::AfterExecutions),
                          ofScope == nullptr});
  }
  process.begin(std::move(turns));
}

} // namespace

bool overlapsInTurn(const sendwright_site &site) noexcept {
  auto *const chainTurns = process.find<ChainTurns>();
  if (!chainTurns) // nothing is verified
    return true;
  const TurnsOfSite *found = nullptr;
  try {
    const auto [entry, isNew] = chainTurns->known.try_emplace(&site, nullptr);
    if (isNew) {
      const auto place = std::ranges::find_if(chainTurns->all, [&](const TurnsOfSite &one) {
        return one.site->hash == site.hash && one.site->sameLoopAs(identityOf(site));
      });
      entry->second = place == chainTurns->all.end() ? nullptr : &*place;
    }
    found = entry->second;
  } catch (const std::bad_alloc &) {
    return true;
  }
  if (!found)
    return true;
  return found->areOwn ? found->turns->begin() : found->turns->isAsPlanned();
}

} // namespace sendwright::chains

namespace sendwright {

extern const RunTransformation runTransformationExchangeChains;
const RunTransformation runTransformationExchangeChains = {.stem = exchangeChainsStem,
                                                           .takeTurns = chains::takeTurns};

} // namespace sendwright
