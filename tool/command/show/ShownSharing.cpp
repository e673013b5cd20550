// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownSharing.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "analysis/sharing/SharedExchanges.h"
#include "tool/command/show/CoverageTable.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace sendwright {

namespace {

void printRow(std::FILE *out, int width, const char *name, const SharingFigures &figures,
              double predicted) {
  std::fprintf(out, "      %-*s %6d %13.3g %9" PRId64 " %12" PRId64 " %8" PRId64 " %9.3g %11s\n",
               width, name, figures.stages, figures.averageSends, figures.maxSends,
               figures.maxReceives, figures.maxLoad, figures.volumeFactor,
               scaled(predicted, "s").c_str());
}

/// For each stage, the most combined messages that any rank sends and receives.
struct StageLoads {
  std::vector<std::size_t> sends, receives;
};

StageLoads stageLoads(const SharedExchanges &plan, std::size_t exchange) {
  StageLoads loads{std::vector<std::size_t>(plan.exchanges[exchange].stages),
                   std::vector<std::size_t>(plan.exchanges[exchange].stages)};
  for (const std::vector<RankExchange> &rank : plan.rankExchanges)
    for (const RankExchange &part : rank)
      for (std::size_t stage = 0; part.exchange == exchange && stage < part.stages.size();
           ++stage) {
        loads.sends[stage] = std::max(loads.sends[stage], part.stages[stage].sends.size());
        loads.receives[stage] = std::max(loads.receives[stage], part.stages[stage].receives.size());
      }
  return loads;
}

} // namespace

void printSharing(std::FILE *out, const SitePlan &plan) {
  const auto &[prediction, refusal] = plan.of<SiteSharing>();
  if (refusal)
    std::fprintf(out, "    not shared because %s\n", printable(refusal->sentence()).c_str());
  if (!prediction)
    return;
  const SharingPrediction &sharing = *prediction;
  const std::string method = printable(sharing.method);
  const int width = std::max(36, static_cast<int>(method.size()));
  std::fprintf(out, "      %-*s %6s %13s %9s %12s %8s %9s %11s\n", width, "messages of a rank",
               "stages", "average sends", "max sends", "max receives", "max load", "volume",
               "predicted");
  printRow(out, width, "direct", sharing.direct, sharing.directSeconds);
  if (sharing.shared.stages > 1)
    printRow(out, width, method.c_str(), sharing.shared, sharing.seconds);
  if (sharing.collectiveSeconds > 0)
    std::fprintf(out, "      shared, collective calls lose %s each time\n",
                 scaled(sharing.collectiveSeconds, "s").c_str());
}

nlohmann::ordered_json sharedExchangesJson(const RankCountPlan &rankCount) {
  const SharedExchanges &plan = rankCount.of<SharedExchanges>();
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t index = 0; index < plan.exchanges.size(); ++index) {
    const SharedExchange &exchange = plan.exchanges[index];
    const StageLoads loads = stageLoads(plan, index);
    json.push_back({{"site", exchange.site},
                    {"method", exchange.method},
                    {"stages", exchange.stages},
                    {"messages", exchange.messages},
                    {"members", exchange.communicator.members.vector()},
                    {"instance", exchange.communicator.instance},
                    {"sends", loads.sends},
                    {"receives", loads.receives}});
  }
  return json;
}

void printSharedExchanges(const RankCountPlan &rankCount) {
  const SharedExchanges &plan = rankCount.of<SharedExchanges>();
  for (std::size_t index = 0; index < plan.exchanges.size(); ++index) {
    const SharedExchange &exchange = plan.exchanges[index];
    const StageLoads loads = stageLoads(plan, index);
    std::printf("\n  shared: the %llu messages of %s among %zu ranks, %s\n",
                static_cast<unsigned long long>(exchange.messages),
                rankCount.sites[exchange.site].site.display().c_str(),
                exchange.communicator.members.size(), printable(exchange.method).c_str());
    for (std::size_t stage = 0; stage < loads.sends.size(); ++stage)
      std::printf("    stage %zu: at most %zu sends and %zu receives per rank\n", stage + 1,
                  loads.sends[stage], loads.receives[stage]);
  }
}

} // namespace sendwright
