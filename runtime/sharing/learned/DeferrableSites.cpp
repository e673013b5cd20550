// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/DeferrableSites.h"

#include "analysis/file/FormatError.h"
#include "analysis/program/FunctionSummary.h"
#include "analysis/program/UnitFacts.h"
#include "analysis/program/UnitSummary.h"
#include "runtime/base/Interception.h"
#include "runtime/base/Units.h"
#include "runtime/batch/Reliances.h"

#include <map>
#include <string>

namespace sendwright::adaptation {

namespace {

using Functions = std::map<std::string, FunctionFacts>;

Functions functionsOfUnits() {
  Functions functions;
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    if ((unit->mode & SENDWRIGHT_UNIT_GENERATE) && unit->functions)
      for (const auto &[symbol, facts] : decodeUnitSummary(unit->functions, unit->file).functions)
        addFunctionFacts(functions, symbol, facts);
  return functions;
}

/// Several units may have one site, each with its own functions behind it: all must agree.
void addSitesOf(const sendwright_unit &unit, const Functions &functions,
                std::set<const sendwright_site *> &good, std::set<const sendwright_site *> &bad) {
  UnitFacts facts;
  if (unit.facts)
    facts = decodeUnitFacts(unit.facts, unit.facts_size, unit.file);
  facts.sites.resize(unit.site_count);
  for (unsigned long index = 0; index < unit.site_count; ++index) {
    const sendwright_site *site = unit.sites[index];
    const bool may = (site->flags & SENDWRIGHT_SITE_DEFERRABLE) &&
                     brokenReliance(facts.sites[index], functions).empty();
    (may ? good : bad).insert(site);
  }
}

} // namespace

std::set<const sendwright_site *> deferrableSites() {
  std::set<const sendwright_site *> good, bad;
  try {
    const Functions functions = functionsOfUnits();
    for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
      if (unit->mode & SENDWRIGHT_UNIT_GENERATE)
        addSitesOf(*unit, functions, good, bad);
    addCallsOfProfiledUnits(functions);
  } catch (const FormatError &error) {
    sayOnce("%s: no loop is shared", error.what());
    return {};
  }
  for (const sendwright_site *site : bad)
    good.erase(site);
  return good;
}

} // namespace sendwright::adaptation
