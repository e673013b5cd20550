// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/PlanVerification.h"

#include "analysis/collectives/CollectiveVerification.h"
#include "analysis/epochs/steps/StepVerification.h"
#include "analysis/file/FormatError.h"
#include "analysis/sharing/SharingVerification.h"

#include <algorithm>

namespace sendwright {

namespace {

/// What ranks have for a site: orders, an exchange, a collective.
struct SiteData {
  bool ordered = false, shared = false;
  const PlannedCollective *collective = nullptr;
};

std::string siteName(const RankCountPlan &plan, std::size_t site) {
  return "site " + std::to_string(site) + " at " + plan.sites[site].site.display() + ": ";
}

std::optional<std::string> contradictionInOrders(const RankCountPlan &plan, int rankCount,
                                                 std::vector<SiteData> &data) {
  if (plan.ranks.size() > static_cast<std::size_t>(rankCount))
    return "orders of more ranks than there are";
  for (std::size_t rank = 0; rank < plan.ranks.size(); ++rank) {
    const std::string own = "rank " + std::to_string(rank);
    std::vector<std::uint32_t> sites;
    for (const RankSite &site : plan.ranks[rank]) {
      if (site.site >= plan.sites.size())
        return own + " has orders of a site that is not there";
      sites.push_back(site.site);
      data[site.site].ordered = true;
      for (const SendOrder &order : site.orders)
        for (const int destination : order.destinations)
          if (destination < 0 || destination >= rankCount)
            return own + " sends to rank " + std::to_string(destination) + ", which is not there";
    }
    std::sort(sites.begin(), sites.end());
    const auto twice = std::adjacent_find(sites.begin(), sites.end());
    if (twice != sites.end())
      return own + " has the orders of site " + std::to_string(*twice) + " twice";
  }
  return {};
}

/// The decision for a site must agree with what ranks have for it.
std::optional<std::string> contradictionInDecision(const SitePlan &site, const SiteData &data,
                                                   bool ordersKnown) {
  const bool rewritten = site.decision == Decision::Rewrite;
  if (!rewritten && !site.transformation.empty())
    return "left, and '" + site.transformation + "' is to be done";
  const bool shares = rewritten && site.transformation == "message-sharing";
  const bool replaces = rewritten && site.transformation == "collectives";
  if (rewritten && !shares && !replaces && site.transformation != "message-ordering")
    return "'" + site.transformation + "' is to be done, which is no transformation";
  if (shares != data.shared)
    return shares ? "its messages are to be shared, and there is no exchange of them"
                  : "it has an exchange, and its messages are not to be shared";
  if (replaces != (data.collective != nullptr))
    return replaces ? "it is to be replaced, and there is no collective"
                    : "it has a collective, and is not to be replaced";
  if (data.ordered && !rewritten)
    return "left, and a rank has orders";
  if (ordersKnown && rewritten && !shares && !replaces && !data.ordered)
    return "its messages are to be ordered, and no rank has an order";
  if (!replaces || !site.collective)
    return {};
  const CollectivePrediction &predicted = *site.collective;
  const PlannedCollective &collective = *data.collective;
  if (predicted.operation != collective.operation || predicted.algorithm != collective.algorithm ||
      predicted.bytes != collective.bytes ||
      predicted.ranks != collective.communicator.members.size())
    return "its collective is not the one that is predicted for it";
  return {};
}

std::optional<std::string> contradictionInSites(const RankCountPlan &plan, int rankCount) {
  std::vector<SiteData> data(plan.sites.size());
  if (std::optional<std::string> problem = contradictionInOrders(plan, rankCount, data))
    return problem;
  for (const SharedExchange &exchange : plan.exchanges) {
    if (exchange.site >= data.size())
      return "an exchange of a site that is not there";
    data[exchange.site].shared = true;
  }
  for (const PlannedCollective &collective : plan.collectives) {
    if (collective.site >= data.size())
      return "a collective of a site that is not there";
    if (data[collective.site].collective)
      return siteName(plan, collective.site) + "two collectives";
    data[collective.site].collective = &collective;
  }
  for (std::size_t site = 0; site < data.size(); ++site)
    if (std::optional<std::string> problem =
            contradictionInDecision(plan.sites[site], data[site], !plan.ranks.empty()))
      return siteName(plan, site) + *problem;
  return {};
}

/// The steps of each member of a collective, or null for a member without a part.
std::vector<const std::vector<CollectiveStep> *> stepsOf(const RankCountPlan &plan,
                                                         std::uint32_t number) {
  std::vector<const std::vector<CollectiveStep> *> steps;
  for (const int member : plan.collectives[number].communicator.members) {
    const std::vector<RankCollective> &parts =
        plan.rankCollectives[static_cast<std::size_t>(member)];
    const auto part = std::ranges::lower_bound(parts, number, {}, &RankCollective::collective);
    steps.push_back(part != parts.end() && part->collective == number ? &part->steps : nullptr);
  }
  return steps;
}

std::optional<std::string> contradictionInCollectives(const RankCountPlan &plan, int rankCount) {
  if (!plan.collectives.empty() &&
      plan.rankCollectives.size() != static_cast<std::size_t>(rankCount))
    return "ranks without a part of the collectives";
  for (std::uint32_t number = 0; number < plan.collectives.size(); ++number) {
    const PlannedCollective &collective = plan.collectives[number];
    const std::string name = "collective " + std::to_string(number) + " at " +
                             plan.sites[collective.site].site.display() + ": ";
    for (const int member : collective.communicator.members)
      if (member < 0 || member >= rankCount)
        return name + "rank " + std::to_string(member) + ", which is not there";
    const std::vector<const std::vector<CollectiveStep> *> steps = stepsOf(plan, number);
    if (std::find(steps.begin(), steps.end(), nullptr) != steps.end())
      return name + "a member has no part in it";
    if (const std::optional<std::string> problem = contradictionIn(collective, steps))
      return name + *problem;
  }
  return {};
}

} // namespace

std::optional<std::string> contradictionInJointParts(const RankCountPlan &plan, int rankCount) {
  if (std::optional<std::string> problem = contradictionInSites(plan, rankCount))
    return problem;
  if (std::optional<std::string> problem = contradictionInCollectives(plan, rankCount))
    return problem;
  return contradictionInExchanges(
      plan, rankCount, [&](std::uint32_t site) { return plan.sites[site].site.display(); });
}

std::optional<std::string> contradictionInSynchronization(const RankCountPlan &plan,
                                                          int rankCount) {
  const SynchronizationPlan &synchronization = plan.synchronization;
  if (synchronization.kind == SynchronizationKind::None)
    return synchronization.ranks.empty()
               ? std::nullopt
               : std::optional<std::string>("nothing is synchronised, and ranks have steps");
  if (synchronization.ranks.size() != static_cast<std::size_t>(rankCount))
    return "ranks without steps of synchronisation";
  if (const std::optional<std::string> problem =
          contradictionInSteps(synchronization.kind, synchronization.ranks))
    return "synchronisation: " + *problem;
  return {};
}

std::optional<std::string> contradictionIn(const RankCountPlan &plan, int rankCount) {
  if (std::optional<std::string> problem = contradictionInJointParts(plan, rankCount))
    return problem;
  return contradictionInSynchronization(plan, rankCount);
}

void verifyPlan(const Plan &plan, const std::string &name) {
  for (const auto &[rankCount, part] : plan.rankCounts)
    if (const std::optional<std::string> problem = contradictionIn(part, rankCount))
      throw FormatError(name + ": contradicts itself for " + std::to_string(rankCount) +
                        " ranks: " + *problem);
}

} // namespace sendwright
