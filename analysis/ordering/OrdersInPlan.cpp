// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering in the plan file: each rank's orders, and the figures behind a site's decision.

#include "analysis/ordering/PlannedOrders.h"
#include "analysis/transformation/PlanSections.h"

#include <algorithm>

namespace sendwright {

namespace {

std::optional<std::string> encodeOrdersOf(const RankCountPlan &plan, std::size_t rank) {
  const std::vector<std::vector<RankSite>> &ranks = plan.of<PlannedOrders>().ranks;
  return encodeOrders(rank < ranks.size() ? ranks[rank] : std::vector<RankSite>());
}

void decodeOrdersOf(ByteReader &in, RankCountPlan &plan, int rankCount, int /*rank*/) {
  plan.of<PlannedOrders>().ranks.push_back(decodeOrders(in, rankCount, plan.sites.size()));
}

class OrdersInPlan final : public PlanSections {
public:
  std::string_view stem() const override { return "message-ordering"; }

  std::vector<PlanSection> sections() const override {
    return {{.tag = 5,
             .ofEachRank = true,
             .duringRuns = true,
             .encode = encodeOrdersOf,
             .decode = decodeOrdersOf}};
  }

  void encodeFigures(ByteWriter &out, const SitePlan &site) const override {
    const std::vector<OrderingFigures> &all = site.of<SiteOrdering>().figures;
    out.number(all.size());
    for (const OrderingFigures &figures : all)
      sendwright::encodeFigures(out, figures);
  }
  void decodeFigures(ByteReader &in, SitePlan &site) const override {
    std::vector<OrderingFigures> &all = site.of<SiteOrdering>().figures;
    in.resize(all, 64);
    for (OrderingFigures &figures : all)
      figures = sendwright::decodeFigures(in);
  }

  std::optional<std::string> markSites(const RankCountPlan &plan, int rankCount,
                                       std::vector<char> &marked) const override {
    const std::vector<std::vector<RankSite>> &ranks = plan.of<PlannedOrders>().ranks;
    if (ranks.size() > static_cast<std::size_t>(rankCount))
      return "orders of more ranks than there are";
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      if (std::optional<std::string> problem = markSitesOf(ranks[rank], rankCount, marked))
        return "rank " + std::to_string(rank) + " " + *problem;
    return {};
  }

  std::optional<std::string> contradictionAt(const RankCountPlan &plan, std::uint32_t site,
                                             bool taken, bool marked) const override {
    if (marked && plan.sites[site].decision == Decision::Leave)
      return "the plan leaves it, but a rank has orders";
    if (taken && !marked && !plan.of<PlannedOrders>().ranks.empty())
      return "the plan orders its messages, but no rank has an order";
    return {};
  }

  void leaveSites(RankCountPlan &plan) const override {
    for (std::vector<RankSite> &rank : plan.of<PlannedOrders>().ranks)
      rank.clear();
  }

private:
  static std::optional<std::string> markSitesOf(const std::vector<RankSite> &rank, int rankCount,
                                                std::vector<char> &marked) {
    std::vector<std::uint32_t> sites;
    for (const RankSite &site : rank) {
      if (site.site >= marked.size())
        return "has orders for a site that does not exist";
      sites.push_back(site.site);
      marked[site.site] = true;
      for (const SendOrder &order : site.orders)
        for (const int destination : order.destinations)
          if (destination < 0 || destination >= rankCount)
            return "sends to rank " + std::to_string(destination) + ", which does not exist";
    }
    std::sort(sites.begin(), sites.end());
    const auto twice = std::adjacent_find(sites.begin(), sites.end());
    if (twice != sites.end())
      return "has the orders of site " + std::to_string(*twice) + " twice";
    return {};
  }
};

} // namespace

const PlanSections &sectionsOfMessageOrdering() {
  static const OrdersInPlan content;
  return content;
}

} // namespace sendwright
