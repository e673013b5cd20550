// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/Reliances.h"

#include "analysis/file/FormatError.h"
#include "analysis/plan/FunctionSummary.h"
#include "runtime/interception/Interception.h"

#include <algorithm>

namespace sendwright {

std::vector<SiteReliance> Reliances::addUnit(const sendwright_unit &unit) {
  std::vector<SiteReliance> sites(unit.site_count);
  changed.store(true, std::memory_order_release);
  if (!unit.facts)
    return sites;
  const std::string name = "the facts of functions in " + std::string(unit.file);
  UnitFacts facts = decodeUnitFacts(unit.facts, unit.facts_size, name);
  if (facts.sites.size() != unit.site_count)
    throw FormatError(name + ": " + std::to_string(facts.sites.size()) + " sites, expected " +
                      std::to_string(unit.site_count));
  for (auto &[symbol, added] : facts.functions)
    addFunctionFacts(functions, symbol, std::move(added));
  return std::move(facts.sites);
}

void Reliances::watch(sendwright_site *site, SiteReliance reliance) {
  if (!reliance.called.empty())
    sites.push_back({site, std::move(reliance)});
}

void Reliances::giveUp(sendwright_site *site) { givenUp.insert(site); }

void Reliances::check() {
  const auto broken = [this](const WatchedSite &watched) {
    const std::string problem = brokenReliance(watched.reliance, functions);
    if (problem.empty())
      return false;
    givenUp.insert(watched.site);
    sayOnce("the loop %s:%u runs as written: %s", watched.site->file, watched.site->line,
            problem.c_str());
    return true;
  };
  sites.erase(std::remove_if(sites.begin(), sites.end(), broken), sites.end());
  for (sendwright_site *site : givenUp)
    site->state = nullptr;
  changed.store(false, std::memory_order_relaxed);
}

} // namespace sendwright
