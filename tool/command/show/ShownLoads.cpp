// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownLoads.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "analysis/redistribution/LoadAdvice.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostAdvised = 32;
constexpr std::size_t mostShownSizes = 16, mostShownBlocks = 4;

double measuredSeconds(const ArrayLoads &loads) {
  double seconds = 0;
  for (const ArrayPeriod &period : loads.periods)
    seconds += period.largest;
  return seconds;
}

double meanSeconds(const ArrayLoads &loads) {
  double seconds = 0;
  for (const ArrayPeriod &period : loads.periods)
    for (const RowsLoad &part : period.rows)
      seconds += part.seconds;
  return seconds / loads.processors;
}

Json adviceJson(const ArrayLoads &loads, const Machine &machine) {
  const LoadAdvice advice = adviseBlocks(loads, machine);
  Json blocks = Json::array();
  for (const AdvisedBlocks &each : advice.blocks)
    blocks.push_back({{"execution", each.execution}, {"sizes", each.sizes}});
  return {{"as_run", advice.asRun},
          {"best", advice.best},
          {"evenly", advice.evenly},
          {"interval", advice.interval},
          {"blocks", std::move(blocks)}};
}

std::string timesOf(std::uint64_t number) {
  return number == 1 ? "once" : std::to_string(number) + " times";
}

std::string blocksText(const Json &sizes) {
  std::string text;
  for (std::size_t block = 0; block < std::min(sizes.size(), mostShownSizes); ++block)
    text += " " + sizes[block].dump();
  return sizes.size() > mostShownSizes ? text + " ..." : text;
}

void printAdvice(std::FILE *out, const Json &each) {
  const Json &best = each["best_blocks"];
  const double asRun = best["as_run"], seconds = best["best"];
  const Json &blocks = best["blocks"];
  std::fprintf(out, "    predicted on the machine: %s as it was, %s with the best sizes",
               timeText(asRun).c_str(), timeText(seconds).c_str());
  if (asRun > 0)
    std::fprintf(out, " (%s less)",
                 percentText(100 * std::max(asRun - seconds, 0.0) / asRun).c_str());
  std::fprintf(out, ", %s if the load were even\n", timeText(best["evenly"]).c_str());
  if (blocks.size() == 1)
    std::fprintf(out, "    best: blocks that stay, of%s rows\n",
                 blocksText(blocks.front()["sizes"]).c_str());
  else
    std::fprintf(out, "    best: rebalanced every %s executions, moving %s; blocks of rows\n",
                 best["interval"].dump().c_str(), timesOf(blocks.size() - 1).c_str());
  for (std::size_t at = 0; blocks.size() > 1 && at < std::min(blocks.size(), mostShownBlocks); ++at)
    std::fprintf(out, "      from execution %s on:%s\n", blocks[at]["execution"].dump().c_str(),
                 blocksText(blocks[at]["sizes"]).c_str());
  if (blocks.size() > mostShownBlocks)
    std::fprintf(out, "      and %zu more (--json lists all)\n", blocks.size() - mostShownBlocks);
}

} // namespace

Json loadsJson(const Profile &profile, const Machine *machine) {
  Json list = Json::array();
  for (const ArrayLoads &loads : arrayLoads(profile)) {
    list.push_back({{"site", loads.site.display()},
                    {"function", loads.site.function},
                    {"array", loads.array},
                    {"rows", loads.rows},
                    {"row_bytes", loads.rowBytes},
                    {"processors", loads.processors},
                    {"executions", loads.executions},
                    {"periods", loads.periods.size()},
                    {"largest_seconds", measuredSeconds(loads)},
                    {"mean_seconds", meanSeconds(loads)}});
    if (machine && list.size() <= mostAdvised)
      list.back()["best_blocks"] = adviceJson(loads, *machine);
  }
  return list;
}

void printLoads(std::FILE *out, const Json &list) {
  if (!list.empty())
    std::fprintf(out, "\nloads: what ranks computed between redistribute directives of an array\n");
  for (const Json &each : list) {
    std::fprintf(out, "  %s in %s, array %s, executed %s: %s rows of %s on %s processors\n",
                 printable(each["site"].get<std::string>()).c_str(),
                 printable(each["function"].get<std::string>()).c_str(),
                 printable(each["array"].get<std::string>()).c_str(),
                 timesOf(each["executions"]).c_str(), each["rows"].dump().c_str(),
                 bytesText(each["row_bytes"]).c_str(), each["processors"].dump().c_str());
    std::fprintf(out, "    the busiest ranks computed %s, all of them %s on average\n",
                 timeText(each["largest_seconds"]).c_str(), timeText(each["mean_seconds"]).c_str());
    if (each.contains("best_blocks"))
      printAdvice(out, each);
  }
}

} // namespace sendwright
