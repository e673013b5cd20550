// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/ProgramSummary.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <unordered_map>

namespace sendwright {

namespace {

/// Judges loops by the functions of all units.
class LoopJudge {
public:
  explicit LoopJudge(const std::map<std::string, FunctionFacts> &functions)
      : functions(functions) {}

  std::string refusal(const LoopInSource &loop) {
    std::string reason = loop.refusal;
    for (auto symbol = loop.calls.begin(); reason.empty() && symbol != loop.calls.end(); ++symbol)
      reason = problemOf(*symbol);
    return reason;
  }

private:
  const std::map<std::string, FunctionFacts> &functions;
  std::map<std::string, std::string> known;

  const std::string &problemOf(const std::string &symbol) {
    const auto [found, isNew] = known.try_emplace(symbol);
    if (!isNew)
      return found->second;
    const std::string call = "calls " + sourceNameOf(symbol) + ", which ";
    if (!functions.contains(symbol))
      return found->second = call + "was not compiled with the plugin";
    const FunctionFacts facts = resolveFunction(symbol, functions, nullptr);
    if (facts.mayWait)
      found->second = call + (facts.reason.empty() ? "may wait outside MPI" : facts.reason);
    return found->second;
  }
};

template <typename Item> void append(std::vector<Item> &all, std::vector<Item> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

} // namespace

ProgramSummary decodeUnits(const Profile &profile, const std::string &name) {
  ProgramSummary program;
  for (const ProfiledUnit &unit : profile.units) {
    if (unit.functions.empty())
      continue;
    UnitSummary summary = decodeUnitSummary(unit.functions, name + " (" + unit.file + ")");
    const std::string file = std::filesystem::path(unit.file).filename().string();
    for (auto &[symbol, facts] : summary.functions) {
      addFunctionFacts(program.functions, symbol, std::move(facts));
      program.symbols[file].push_back(symbol);
    }
    append(program.collectives, std::move(summary.collectives));
    append(program.loops, std::move(summary.loops));
    program.files.insert(file);
  }
  return program;
}

std::vector<std::string> loopRefusals(const Profile &profile, const ProgramSummary &program) {
  std::vector<std::string> refusals(profile.sites.size());
  std::unordered_multimap<std::uint64_t, const LoopInSource *> byHash;
  for (const LoopInSource &loop : program.loops)
    byHash.emplace(loop.loop.hash, &loop);
  LoopJudge judge(program.functions);
  for (std::size_t site = 0; site < refusals.size(); ++site) {
    bool mayBeRewritten = false;
    const auto [begin, end] = byHash.equal_range(profile.sites[site].hash);
    for (auto loop = begin; loop != end && !mayBeRewritten; ++loop) {
      if (!profile.sites[site].sameLoopAs(loop->second->loop))
        continue;
      std::string reason = judge.refusal(*loop->second);
      mayBeRewritten = reason.empty();
      refusals[site] = std::move(reason);
    }
  }
  return refusals;
}

std::vector<SiteIdentity> unmarkedSendLoops(const ProgramSummary &program) {
  std::set<std::string> withLoops;
  for (const LoopInSource &loop : program.loops)
    if (loop.marked)
      withLoops.insert(loop.loop.function);
  const auto sendsWithoutLoop = [&](const std::string &symbol) {
    const auto found = program.functions.find(symbol);
    if (found == program.functions.end() || !found->second.sends)
      return false;
    const std::string name = sourceNameOf(symbol);
    return !withLoops.contains(name.substr(0, name.find('(')));
  };
  std::vector<SiteIdentity> loops;
  for (const LoopInSource &loop : program.loops)
    if (!loop.marked && loop.refusal.empty() &&
        std::any_of(loop.calls.begin(), loop.calls.end(), sendsWithoutLoop))
      loops.push_back(loop.loop);
  return loops;
}

} // namespace sendwright
