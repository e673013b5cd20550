// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/LoopSummary.h"

#include "analysis/file/FormatError.h"
#include "analysis/program/UnitText.h"

#include <nlohmann/json.hpp>

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
      fail("\"refused\" is not text, expected the reason");
    read.refusal = entry["refused"];
  }
  if (!entry.contains("calls") || !entry["calls"].is_array())
    fail("no list \"calls\", expected the symbols called");
  for (const Json &symbol : entry["calls"]) {
    if (!symbol.is_string())
      fail("\"calls\" has an entry that is not text, expected the symbols called");
    read.calls.push_back(symbol);
  }
  read.marked = entry.value("unmarked", Json(false)) != true;
  read.namesCallees = entry.value("named", Json(false)) == true; // older plugins do not say so
  return read;
}

} // namespace

Json loopsJson(const std::vector<LoopInSource> &loops) {
  Json list = Json::array();
  for (const LoopInSource &loop : loops) {
    Json entry = {{"loop", siteJson(loop.loop)}, {"calls", loop.calls}};
    if (!loop.marked)
      entry["unmarked"] = true;
    if (loop.namesCallees)
      entry["named"] = true;
    if (!loop.refusal.empty())
      entry["refused"] = loop.refusal;
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<LoopInSource> readLoops(const Json &json, const std::string &where) {
  if (!json.is_array())
    throw FormatError(where + ": loops are not a JSON list, expected what the plugin wrote");
  std::vector<LoopInSource> loops;
  loops.reserve(json.size());
  for (const Json &entry : json)
    loops.push_back(readLoop(entry, where + ": loop " + std::to_string(loops.size())));
  return loops;
}

} // namespace sendwright
