// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/Reliances.h"

#include "analysis/file/FormatError.h"
#include "analysis/program/FunctionSummary.h"
#include "runtime/base/Interception.h"

#include <algorithm>
#include <dlfcn.h>

namespace sendwright {

namespace {

/// What the dynamic linker knows about a function: its name, or at least its library.
std::string describe(sendwright_function function) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(function), &info))
    return "a function";
  if (info.dli_sname && info.dli_saddr == reinterpret_cast<void *>(function))
    return info.dli_sname;
  return "a function in " + std::string(info.dli_fname);
}

} // namespace

std::vector<SiteReliance> Reliances::addUnit(const sendwright_unit &unit) {
  std::vector<SiteReliance> sites(unit.site_count);
  changed.store(true, std::memory_order_release);
  if (!unit.facts)
    return sites;
  const std::string name = "the facts about functions in " + std::string(unit.file);
  UnitFacts facts = decodeUnitFacts(unit.facts, unit.facts_size, name);
  if (facts.sites.size() != unit.site_count)
    throw FormatError(name + ": " + std::to_string(facts.sites.size()) + " sites, expected " +
                      std::to_string(unit.site_count));
  const std::size_t targetCount = unit.targets ? unit.target_count : 0;
  if (facts.targets.size() != targetCount)
    throw FormatError(name + ": " + std::to_string(facts.targets.size()) +
                      " targets of function pointers, expected " + std::to_string(targetCount));
  for (std::size_t index = 0; index < targetCount; ++index)
    if (unit.targets[index])
      addCallTarget(targets[unit.targets[index]], std::move(facts.targets[index]));
  addFunctions(std::move(facts.functions));
  return std::move(facts.sites);
}

void Reliances::addFunctions(std::map<std::string, FunctionFacts> added) {
  for (auto &[symbol, facts] : added)
    addFunctionFacts(functions, symbol, std::move(facts));
}

void Reliances::watch(sendwright_site *site, SiteReliance reliance) {
  if (!reliance.called.empty())
    sites.push_back({site, std::move(reliance)});
}

void Reliances::giveUp(sendwright_site *site) { givenUp.insert(site); }

const std::string &Reliances::problemOfCall(sendwright_function function) {
  if (const auto known = problems.find(function); known != problems.end())
    return known->second;
  const auto target = targets.find(function);
  std::string problem = target == targets.end()
                            ? problemOfUnknownCall(describe(function))
                            : sendwright::problemOfCall(target->second, functions);
  return problems.emplace(function, std::move(problem)).first->second;
}

void Reliances::check() {
  problems.clear();
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
