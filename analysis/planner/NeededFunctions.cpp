// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/NeededFunctions.h"

#include "analysis/plan/KnownSections.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace sendwright {

namespace {

using LoopsByHash = std::unordered_multimap<std::uint64_t, const LoopInSource *>;

/// Adds what a loop calls. Returns false where the source does not name all of it.
bool addCalls(const SitePlan &site, const LoopsByHash &loops, std::set<std::string> &called) {
  const bool isRewritten = site.decision == Decision::Rewrite;
  bool isDescribed = false;
  const auto [begin, end] = loops.equal_range(site.site.hash);
  for (auto entry = begin; entry != end; ++entry) {
    const LoopInSource &loop = *entry->second;
    if (!site.site.sameLoopAs(loop.loop))
      continue;
    isDescribed = true;
    if (!loop.refusal.empty()) {
      if (isRewritten)
        return false;
    } else if (!loop.namesCallees) {
      return false;
    } else {
      called.insert(loop.calls.begin(), loop.calls.end());
    }
  }
  return isDescribed || !isRewritten;
}

/// The functions that the send loops of `plan` call; nothing where they are not known.
std::optional<std::set<std::string>> calledFunctions(const Plan &plan, const LoopsByHash &loops) {
  std::set<std::string> called;
  for (const auto &[ranks, rankCount] : plan.rankCounts) {
    for (const PlanSections *content : knownSections())
      if (content->judgesOtherCode(rankCount))
        return std::nullopt;
    for (const SitePlan &site : rankCount.sites)
      if ((site.decision == Decision::Rewrite || site.sends > 0) && !addCalls(site, loops, called))
        return std::nullopt;
  }
  return called;
}

/// Adds the functions beneath those in `reached`.
void addBeneath(std::set<std::string> &reached,
                const std::map<std::string, FunctionFacts> &functions) {
  std::vector<std::string> pending(reached.begin(), reached.end());
  while (!pending.empty()) {
    const auto found = functions.find(pending.back());
    pending.pop_back();
    if (found == functions.end())
      continue;
    for (const std::string &callee : found->second.callees)
      if (reached.insert(callee).second)
        pending.push_back(callee);
  }
}

} // namespace

void NeededFunctions::add(const ProgramSummary &program) {
  loops.insert(loops.end(), program.loops.begin(), program.loops.end());
  for (const auto &[file, defined] : program.symbols)
    symbols[file].insert(defined.begin(), defined.end());
}

void NeededFunctions::keepIn(Plan &plan) const {
  LoopsByHash byHash;
  for (const LoopInSource &loop : loops)
    byHash.emplace(loop.loop.hash, &loop);
  std::optional<std::set<std::string>> needed = calledFunctions(plan, byHash);
  if (!needed)
    return;
  addBeneath(*needed, plan.functions);
  std::erase_if(plan.functions, [&](const auto &entry) { return !needed->contains(entry.first); });
  std::erase_if(plan.functionFiles, [&](const std::string &file) {
    const auto defined = symbols.find(file);
    return defined == symbols.end() ||
           std::none_of(defined->second.begin(), defined->second.end(),
                        [&](const std::string &symbol) { return needed->contains(symbol); });
  });
}

} // namespace sendwright
