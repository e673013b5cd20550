// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownCollectives.h"

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "tool/command/show/CoverageTable.h"

#include <algorithm>

namespace sendwright {

namespace {

struct StepCounts {
  std::size_t messages = 0, sends = 0, receives = 0; // of all ranks; of the rank with the most
};

StepCounts stepCounts(const PlannedCollectives &plan, std::size_t collective) {
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
  const SiteCollective &own = plan.of<SiteCollective>();
  if (own.prediction) {
    const CollectivePrediction &known = *own.prediction;
    std::fprintf(out, "    %s among %u ranks, %s: predicted %s as written",
                 withArticle(known.operation).c_str(), known.ranks, bytesText(known.bytes).c_str(),
                 scaled(known.writtenSeconds, "s").c_str());
    if (known.seconds < known.writtenSeconds)
      std::fprintf(out, ", %s by %s (%.3g %% less)", scaled(known.seconds, "s").c_str(),
                   printable(known.algorithm).c_str(), known.gainPercent());
    std::fprintf(out, "\n");
  }
  if (own.refusal)
    std::fprintf(out, "    %s because %s\n",
                 own.prediction ? "not by a schedule" : "no collective operation",
                 printable(own.refusal->sentence()).c_str());
}

nlohmann::ordered_json collectiveJson(const SitePlan &plan) {
  const SiteCollective &own = plan.of<SiteCollective>();
  nlohmann::ordered_json json = {{"not_collective", sentenceOf(own.refusal)}};
  if (!own.prediction)
    return json;
  json["operation"] = nameOf(own.prediction->operation);
  json["algorithm"] = own.prediction->algorithm;
  json["ranks"] = own.prediction->ranks;
  json["bytes"] = own.prediction->bytes;
  json["instances"] = own.prediction->instances;
  json["written_seconds"] = own.prediction->writtenSeconds;
  json["scheduled_seconds"] = own.prediction->seconds;
  return json;
}

nlohmann::ordered_json plannedCollectivesJson(const RankCountPlan &rankCount) {
  const PlannedCollectives &plan = rankCount.of<PlannedCollectives>();
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

void printPlannedCollectives(const RankCountPlan &rankCount) {
  const PlannedCollectives &plan = rankCount.of<PlannedCollectives>();
  for (std::size_t index = 0; index < plan.collectives.size(); ++index) {
    const PlannedCollective &collective = plan.collectives[index];
    const StepCounts counts = stepCounts(plan, index);
    std::printf("\n  schedule: the %s of %s among %zu ranks, %s\n"
                "    %zu messages, at most %zu sends and %zu receives per rank\n",
                std::string(nameOf(collective.operation)).c_str(),
                rankCount.sites[collective.site].site.display().c_str(),
                collective.communicator.members.size(), printable(collective.algorithm).c_str(),
                counts.messages, counts.sends, counts.receives);
  }
}

} // namespace sendwright
