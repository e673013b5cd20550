// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownCollectives.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "tool/command/show/CoverageTable.h"

#include <algorithm>

namespace sendwright {

namespace {

struct StepCounts {
  std::size_t messages = 0, sends = 0, receives = 0; // of all ranks; the most of one
};

StepCounts stepCounts(const RankCountPlan &plan, std::size_t collective) {
  StepCounts counts;
  for (const std::vector<RankCollective> &rank : plan.rankCollectives)
    for (const RankCollective &part : rank) {
      if (part.collective != collective)
        continue;
      const auto sends = static_cast<std::size_t>(
          std::count_if(part.steps.begin(), part.steps.end(),
                        [](const CollectiveStep &step) { return step.isSend; }));
      counts.messages += sends;
      counts.sends = std::max(counts.sends, sends);
      counts.receives = std::max(counts.receives, part.steps.size() - sends);
    }
  return counts;
}

} // namespace

void printCollective(std::FILE *out, const SitePlan &plan) {
  if (plan.collective) {
    const CollectivePrediction &known = *plan.collective;
    std::fprintf(out, "    %s among %u ranks, %s: predicted %s as written",
                 withArticle(known.operation).c_str(), known.ranks, bytesText(known.bytes).c_str(),
                 scaled(known.writtenSeconds, "s").c_str());
    if (known.seconds < known.writtenSeconds)
      std::fprintf(out, ", %s by %s (%.3g %% less)", scaled(known.seconds, "s").c_str(),
                   printable(known.algorithm).c_str(), known.gainPercent());
    std::fprintf(out, "\n");
  }
  if (!plan.notCollective.empty())
    std::fprintf(out, "    %s because %s\n",
                 plan.collective ? "not by a schedule" : "no collective operation",
                 printable(plan.notCollective).c_str());
}

nlohmann::ordered_json collectiveJson(const SitePlan &plan) {
  nlohmann::ordered_json json = {{"not_collective", plan.notCollective}};
  if (!plan.collective)
    return json;
  json["operation"] = nameOf(plan.collective->operation);
  json["algorithm"] = plan.collective->algorithm;
  json["ranks"] = plan.collective->ranks;
  json["bytes"] = plan.collective->bytes;
  json["instances"] = plan.collective->instances;
  json["written_seconds"] = plan.collective->writtenSeconds;
  json["scheduled_seconds"] = plan.collective->seconds;
  return json;
}

nlohmann::ordered_json plannedCollectivesJson(const RankCountPlan &plan) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t index = 0; index < plan.collectives.size(); ++index) {
    const PlannedCollective &collective = plan.collectives[index];
    const StepCounts counts = stepCounts(plan, index);
    json.push_back({{"site", collective.site},
                    {"operation", nameOf(collective.operation)},
                    {"algorithm", collective.algorithm},
                    {"root", collective.root},
                    {"bytes", collective.bytes},
                    {"slots", collective.slots},
                    {"members", collective.communicator.members.vector()},
                    {"instance", collective.communicator.instance},
                    {"messages", counts.messages},
                    {"sends", counts.sends},
                    {"receives", counts.receives}});
  }
  return json;
}

void printPlannedCollectives(const RankCountPlan &plan) {
  for (std::size_t index = 0; index < plan.collectives.size(); ++index) {
    const PlannedCollective &collective = plan.collectives[index];
    const StepCounts counts = stepCounts(plan, index);
    std::printf("\n  schedule: the %s of %s among %zu ranks, %s\n"
                "    %zu messages, at most %zu sends and %zu receives of a rank\n",
                std::string(nameOf(collective.operation)).c_str(),
                plan.sites[collective.site].site.display().c_str(),
                collective.communicator.members.size(), printable(collective.algorithm).c_str(),
                counts.messages, counts.sends, counts.receives);
  }
}

} // namespace sendwright
