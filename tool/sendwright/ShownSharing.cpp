// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sendwright/ShownSharing.h"

#include <algorithm>
#include <cstdio>

namespace sendwright {

namespace {

/// Per stage, the most combined messages that a rank sends and receives.
struct StageLoads {
  std::vector<std::size_t> sends, receives;
};

StageLoads stageLoads(const RankCountPlan &plan, std::size_t exchange) {
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

nlohmann::ordered_json sharedExchangesJson(const RankCountPlan &plan) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t index = 0; index < plan.exchanges.size(); ++index) {
    const SharedExchange &exchange = plan.exchanges[index];
    const StageLoads loads = stageLoads(plan, index);
    json.push_back({{"site", exchange.site},
                    {"method", exchange.method},
                    {"stages", exchange.stages},
                    {"messages", exchange.messages},
                    {"members", exchange.communicator.members},
                    {"instance", exchange.communicator.instance},
                    {"sends", loads.sends},
                    {"receives", loads.receives}});
  }
  return json;
}

void printSharedExchanges(const RankCountPlan &plan) {
  for (std::size_t index = 0; index < plan.exchanges.size(); ++index) {
    const SharedExchange &exchange = plan.exchanges[index];
    const StageLoads loads = stageLoads(plan, index);
    std::printf("\n  shared: the %llu messages of %s among %zu ranks, %s\n",
                static_cast<unsigned long long>(exchange.messages),
                plan.sites[exchange.site].site.display().c_str(),
                exchange.communicator.members.size(), exchange.method.c_str());
    for (std::size_t stage = 0; stage < loads.sends.size(); ++stage)
      std::printf("    stage %zu: at most %zu sends and %zu receives of a rank\n", stage + 1,
                  loads.sends[stage], loads.receives[stage]);
  }
}

} // namespace sendwright
