// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownPlanSites.h"

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/sharing/SharedExchanges.h"
#include "tool/command/show/ShownCollectives.h"

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

Json figuresJson(const OrderingFigures &figures) {
  return {{"phase", figures.phase},
          {"given", figures.given},
          {"planned", figures.planned},
          {"worst", figures.worst},
          {"lower_bound", figures.lowerBound},
          {"unit", figures.unit},
          {"key", figures.key},
          {"reason", figures.reason},
          {"window", figures.window},
          {"keyed", figures.keyed},
          {"staggered", figures.staggered},
          {"messages", figures.messages},
          {"bytes", figures.bytes},
          {"overlap_lost", figures.overlapLost}};
}

Json figuresJson(const SharingFigures &figures) {
  return {{"stages", figures.stages},      {"average_sends", figures.averageSends},
          {"max_sends", figures.maxSends}, {"max_receives", figures.maxReceives},
          {"max_load", figures.maxLoad},   {"volume_factor", figures.volumeFactor},
          {"max_hops", figures.maxHops}};
}

Json sharingJson(const SitePlan &plan) {
  const SiteSharing &sharing = plan.of<SiteSharing>();
  Json json = {{"not_shared", sentenceOf(sharing.refusal)}};
  const std::optional<SharingPrediction> &prediction = sharing.prediction;
  if (!prediction)
    return json;
  json["method"] = prediction->method;
  json["direct"] = figuresJson(prediction->direct);
  json["direct"]["predicted_seconds"] = prediction->directSeconds;
  json["shared"] = figuresJson(prediction->shared);
  json["shared"]["predicted_seconds"] = prediction->seconds;
  json["collective_seconds"] = prediction->collectiveSeconds;
  return json;
}

Json siteJson(const SitePlan &plan, std::size_t ranks) {
  Json json = {{"file", plan.site.file},
               {"line", plan.site.line},
               {"function", plan.site.function},
               {"instantiation", plan.site.instantiation},
               {"ordinal", plan.site.ordinal},
               {"hash", plan.site.hash},
               {"decision", plan.decision == Decision::Rewrite ? "rewrite" : "leave"},
               {"transformation", plan.transformation},
               {"reason", plan.reason},
               {"gain", plan.gain},
               {"gain_percent", plan.gainPercent},
               {"executions", plan.executions},
               {"sends", plan.sends},
               {"bytes", plan.bytes},
               {"ranks_with_orders", ranks},
               {"ordering", Json::array()}};
  for (const OrderingFigures &figures : plan.of<SiteOrdering>().figures)
    json["ordering"].push_back(figuresJson(figures));
  json["sharing"] = sharingJson(plan);
  json["collective"] = collectiveJson(plan);
  return json;
}

} // namespace

/// How many ranks have an order for each site.
std::vector<std::size_t> ranksWithOrders(const RankCountPlan &part) {
  std::vector<std::size_t> ranks(part.sites.size());
  for (const std::vector<RankSite> &rank : part.of<PlannedOrders>().ranks)
    for (const RankSite &site : rank)
      ranks[site.site] += !site.orders.empty();
  return ranks;
}

Json planSitesJson(const RankCountPlan &part) {
  Json json = Json::array();
  const std::vector<std::size_t> ranks = ranksWithOrders(part);
  for (std::size_t site = 0; site < part.sites.size(); ++site)
    json.push_back(siteJson(part.sites[site], ranks[site]));
  return json;
}

} // namespace sendwright
