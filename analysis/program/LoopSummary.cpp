// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/LoopSummary.h"

#include "analysis/file/FormatError.h"
#include "analysis/program/FunctionSummary.h"
#include "analysis/program/SiteText.h"
#include "analysis/program/UnitSummary.h"

#include <nlohmann/json.hpp>

#include <map>
#include <unordered_map>

namespace sendwright {

namespace {

using Json = nlohmann::json;

LoopInSource readLoop(const Json &entry, const std::string &where) {
  const auto fail = [&](const char *problem) { throw FormatError(where + ": " + problem); };
  if (!entry.is_object() || !entry.contains("loop"))
    fail("no \"loop\", expected what the plugin wrote");
  LoopInSource read;
  read.loop = readSite(entry["loop"], where);
  if (entry.contains("refused")) {
    if (!entry["refused"].is_string() || entry["refused"].get<std::string>().empty())
      fail("\"refused\" is no text, expected the reason");
    read.refusal = entry["refused"];
  }
  if (!entry.contains("calls") || !entry["calls"].is_array())
    fail("no list \"calls\", expected the symbols called");
  for (const Json &symbol : entry["calls"]) {
    if (!symbol.is_string())
      fail("\"calls\" holds what is not text, expected the symbols called");
    read.calls.push_back(symbol);
  }
  return read;
}

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

} // namespace

std::string encodeLoops(const std::vector<LoopInSource> &loops) {
  Json list = Json::array();
  for (const LoopInSource &loop : loops) {
    Json entry = {{"loop", siteJson(loop.loop)}, {"calls", loop.calls}};
    if (!loop.refusal.empty())
      entry["refused"] = loop.refusal;
    list.push_back(std::move(entry));
  }
  return list.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::vector<LoopInSource> decodeLoops(const std::string &text, const std::string &name) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array())
    throw FormatError(name + ": loops are not a JSON list, expected what the plugin wrote");
  std::vector<LoopInSource> loops;
  loops.reserve(json.size());
  for (const Json &entry : json)
    loops.push_back(readLoop(entry, name + ": loop " + std::to_string(loops.size())));
  return loops;
}

std::vector<std::string> loopRefusals(const Profile &profile) {
  std::vector<LoopInSource> loops;
  std::map<std::string, FunctionFacts> functions;
  for (const ProfiledUnit &unit : profile.units) {
    if (unit.functions.empty())
      continue;
    UnitSummary summary = decodeUnitSummary(unit.functions, unit.file);
    for (auto &[symbol, facts] : summary.functions)
      addFunctionFacts(functions, symbol, std::move(facts));
    for (LoopInSource &loop : summary.loops)
      loops.push_back(std::move(loop));
  }
  std::vector<std::string> refusals(profile.sites.size());
  if (loops.empty())
    return refusals;
  std::unordered_multimap<std::uint64_t, const LoopInSource *> byHash;
  for (const LoopInSource &loop : loops)
    byHash.emplace(loop.loop.hash, &loop);
  LoopJudge judge(functions);
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

} // namespace sendwright
