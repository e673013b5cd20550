// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated run under message ordering: what a loop sends leaves at the end of its batch, in the
// plan's order.

#include "analysis/ordering/OrderedRun.h"

#include "analysis/ordering/IssueOrder.h"
#include "analysis/run/PlannedBatches.h"

#include <set>
#include <string_view>
#include <utility>

namespace sendwright {

namespace {

/// The orders of one rank, by site of the profile.
std::map<int, IssueOrders> ordersOf(const SimulatedPlan &run, std::string_view stem,
                                    std::size_t rank) {
  std::map<int, IssueOrders> orders;
  const std::vector<std::vector<RankSite>> &ranks = run.plan.of<PlannedOrders>().ranks;
  if (rank >= ranks.size())
    return orders;
  for (const auto &[site, number] : run.planned)
    for (const RankSite &own : ranks[rank])
      if (own.site == number && !own.orders.empty() &&
          run.plan.sites[number].transformation == stem)
        orders.try_emplace(site, own.orders);
  return orders;
}

class OrderedRank {
public:
  OrderedRank(const RankBatches &loops, std::map<int, IssueOrders> ordersOfSites)
      : orders(std::move(ordersOfSites)), batches(loops, sitesOf(orders)) {}

  bool hold(std::size_t position, std::uint32_t message, int destination) {
    if (!batches.holds(position))
      return false;
    held.push_back({message, position, destination});
    batches.pass();
    return true;
  }

  std::optional<IssuedBatch> issue(std::size_t position) {
    if (!batches.isIssuedAt(position))
      return {};
    IssuedBatch issued;
    if (held.size() > 1) {
      std::vector<int> destinations;
      destinations.reserve(held.size());
      for (const HeldMessage &send : held)
        destinations.push_back(send.destination);
      const IssueOrder order = orders.at(batches.site()).select(destinations);
      issued.window = order.window;
      issued.messages.reserve(held.size());
      for (const std::uint32_t index : *order.indices)
        issued.messages.push_back(held[index]);
    } else {
      issued.messages = held;
    }
    held.clear();
    batches.finish();
    return issued;
  }

private:
  static std::set<int> sitesOf(const std::map<int, IssueOrders> &orders) {
    std::set<int> sites;
    for (const auto &[site, order] : orders)
      sites.insert(site);
    return sites;
  }

  std::map<int, IssueOrders> orders;
  PlannedBatches batches;
  std::vector<HeldMessage> held;
};

class OrderedRun final : public RunBehaviour {
public:
  OrderedRun(const SimulatedPlan &run, std::string_view stem) {
    ranks.reserve(run.timeline.ranks.size());
    for (std::size_t rank = 0; rank < run.timeline.ranks.size(); ++rank)
      ranks.emplace_back(run.loops.ranks[rank], ordersOf(run, stem, rank));
  }

  bool hold(std::uint32_t rank, std::size_t position, std::uint32_t message,
            const Event &event) override {
    return ranks[rank].hold(position, message, event.peer);
  }
  std::optional<IssuedBatch> issue(std::uint32_t rank, std::size_t position) override {
    return ranks[rank].issue(position);
  }

private:
  std::vector<OrderedRank> ranks;
};

} // namespace

std::unique_ptr<RunBehaviour> orderedRun(const SimulatedPlan &run, std::string_view stem) {
  if (run.plan.of<PlannedOrders>().ranks.empty())
    return nullptr;
  return std::make_unique<OrderedRun>(run, stem);
}

} // namespace sendwright
