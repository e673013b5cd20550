// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning of sharing by a plan: whether a plan asks for it, whether all ranks have the same
// plan and can follow it, and what is printed if they cannot.

#include "analysis/sharing/ExchangesInPlan.h"
#include "runtime/base/ServingOthers.h"
#include "runtime/batch/PlanSites.h"
#include "runtime/batch/RunTransformation.h"
#include "runtime/sharing/planned/MessageSharing.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <memory>
#include <set>

namespace sendwright::exchange {

namespace {

/// The loops of the plan's exchanges have scopes, in which sharing takes over what they send.
void addSites(const RankCountPlan &own, const AddPlannedSite &add) {
  for (const SharedExchange &exchange : own.of<SharedExchanges>().exchanges)
    add(exchange.site, IssueOrders());
}

const char *obstacle(const sendwright_unit &unit) {
  const RankCountPlan *plan = planOfUnit(unit);
  if (!plan)
    return "a rank cannot read its part of the plan";
  for (const SharedExchange &exchange : plan->of<SharedExchanges>().exchanges)
    if (!isUsable(unit, exchange.site))
      return "a loop whose messages are to be shared runs as written";
  return nullptr;
}

/// One entry for each of this rank's parts of exchanges.
std::vector<PlannedSite *> sitesOfParts(const sendwright_unit &unit,
                                        const SharedExchanges &planned) {
  std::vector<PlannedSite *> sites;
  for (const RankExchange &part : ownEntry(planned.rankExchanges))
    sites.push_back(&plannedSiteOf(unit, planned.exchanges[part.exchange].site));
  return sites;
}

const char *begin(const sendwright_unit &unit) {
  const RankCountPlan &plan = *planOfUnit(unit);
  const std::vector<PlannedSite *> sites = sitesOfParts(unit, plan.of<SharedExchanges>());
  MessageSharing &sharing = process.begin(std::make_unique<MessageSharing>(plan));
  if (!sharing.begin(*privateCommunicator()))
    return "MPI has too few tags";
  serveOthersBy(&serviceWhileSharing());
  sharing.listen();
  sharing.openRoutesAt(sites);
  for (const SharedExchange &exchange : plan.of<SharedExchanges>().exchanges)
    sharing.addLoop(plannedSiteOf(unit, exchange.site), digestOf(plan.sites[exchange.site].site));
  sendwright_interception |= interceptExchange;
  return nullptr;
}

/// All shared exchanges pause together. Every rank takes part in the turns, whether it has messages
/// or not.
void takeTurns(const sendwright_unit &unit, const RankCountPlan &own, const MakeSiteTurns &make) {
  if (!on())
    return;
  std::set<std::uint32_t> known;
  for (const SharedExchange &exchange : own.of<SharedExchanges>().exchanges)
    if (known.insert(exchange.site).second) {
      SiteTurns *turns = make(exchange.site, TurnsEnd::WhenTold);
      plannedSiteOf(unit, exchange.site).turns = turns;
      messageSharing()->makePauses().add(turns);
    }
}

} // namespace

} // namespace sendwright::exchange

namespace sendwright {

extern const RunTransformation runTransformationMessageSharing;
const RunTransformation runTransformationMessageSharing = {
    .stem = "message-sharing",
    .addSites = exchange::addSites,
    .isLearnedByOtherRuns = true,
    .takeTurns = exchange::takeTurns,
    .together = {.isPlanned = sharesMessages,
                 .obstacle = exchange::obstacle,
                 .begin = exchange::begin,
                 .otherwise = "no messages are shared",
                 .isLeftWhileLearning = true}};

} // namespace sendwright
