// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leader's plan at one member: its routes, from which execution on they are used, and which
// execution is which instance of them.

#include "runtime/sharing/learned/LearnedExchange.h"

#include "analysis/file/FormatError.h"
#include "runtime/sharing/learned/Learning.h"

#include <algorithm>
#include <utility>

namespace sendwright::adaptation {

/// Catches up on instances in which this rank sent nothing by route, because it had not heard that
/// they are shared or had nothing to send.
void LearnedExchange::catchUp() {
  for (SharedPattern &one : planned)
    if (shares && one.routes.routes && one.first < one.executions)
      one.routes.routes->contributeUpTo(one.nextInstance());
}

const SharedPattern *LearnedExchange::sharedBy(std::uint64_t plan) const {
  const auto found = std::ranges::find_if(planned, [plan](const SharedPattern &one) {
    return one.routes.plan == plan && one.routes.routes && one.routes.routes->hasOwn();
  });
  return found == planned.end() || !shares ? nullptr : &*found;
}

void LearnedExchange::alignExecutions(std::uint64_t plan) {
  for (SharedPattern &one : planned)
    if (shares && !isUnderWay && one.routes.plan == plan && one.routes.routes &&
        one.first <= one.executions)
      one.ahead +=
          static_cast<std::int64_t>(one.routes.routes->instancesBegun() - one.nextInstance());
}

void LearnedExchange::takePlan(const ControlMessage &plan) {
  learning()->noteNews();
  stopRoutes();
  planKey = plan.plan;
  planBasis = plan.number;
  try {
    readPlan(plan);
  } catch (const FormatError &error) {
    sayOnce("%s", error.what()); // the others stop when they have waited for this rank
  }
}

void LearnedExchange::readPlan(const ControlMessage &plan) {
  Learning &all = *learning();
  PlannedPart part = decodePart(plan.part, all.ranks, all.rank);
  planned.resize(part.stages.size());
  for (RankExchange &one : part.parts) {
    LearnedRoutes &routes = planned[one.exchange].routes;
    routes.plan = planOfPattern(planKey, one.exchange);
    routes.part = std::make_unique<RankExchange>(std::move(one));
    routes.routes = all.makeRoutes(*this, *routes.part, routes.plan);
    all.begin(routes.plan, *this);
  }
  if (part.own.empty())
    planned.front().executions = executions;
  else
    takePatterns(part);
}

void LearnedExchange::install(const ControlMessage &plan) {
  takePlan(plan);
  ControlMessage ready;
  ready.kind = ControlMessage::Kind::Ready;
  ready.plan = planKey;
  ready.numbers = executionsOfPatterns();
  ready.calls = learning()->worldCalls.begun();
  tell(std::move(ready));
}

void LearnedExchange::share(const ControlMessage &switching) {
  if (switching.plan == planKey && planKey != 0) // otherwise it stopped before
    shareFrom(switching.numbers);
}

void LearnedExchange::shareAtCut(const ControlMessage &plan) {
  takePlan(plan);
  shareFrom(executionsOfPatterns());
}

std::vector<std::uint64_t> LearnedExchange::executionsOfPatterns() const {
  std::vector<std::uint64_t> counts;
  counts.reserve(planned.size());
  for (const SharedPattern &one : planned)
    counts.push_back(one.executions);
  return counts;
}

void LearnedExchange::shareFrom(const std::vector<std::uint64_t> &first) {
  if (!proposed || proposal != planBasis || planned.empty() || first.size() != planned.size()) {
    stopRoutes(); // it changed before; the leader may have heard of that before the proposal
    if (planBasis != 0)
      tellChanged(planBasis, Change::OtherMessages);
    return;
  }
  shares = true;
  sharedAt = executions;
  ++loop.sharing;
  ++learning()->exchangesThatShare;
  measuring = true;
  noteDirectSeconds();
  std::vector<exchange::Routes *> all;
  for (std::size_t index = 0; index < planned.size(); ++index) {
    planned[index].first = first[index];
    if (exchange::Routes *routes = planned[index].routes.routes.get()) {
      all.push_back(routes);
      routes->forEachOwn([this](const SharedMessage &message, const exchange::FirstHop &hop) {
        communicator.addRoute(message, hop);
      });
    }
  }
  kept.set(std::move(all));
  for (LearnedExchange *turn : patterns->ofTurn)
    if (inAnyOrder)
      turn->leave();
  if (key.turns > 1)
    patterns->whole->leaveToTurns();
  catchUp();
}

void LearnedExchange::stopRoutes() {
  planKey = 0;
  if (shares) {
    --loop.sharing;
    --learning()->exchangesThatShare;
    times.clear();
    own.forgetTimes();
    kept.giveUp();
    if (loop.site.taker == &kept)
      loop.site.taker = nullptr;
  }
  shares = false;
  for (SharedPattern &one : std::exchange(planned, {})) {
    if (!one.routes.routes)
      continue;
    exchange::Routes &old = *one.routes.routes;
    old.forEachOwn([this](const SharedMessage &message, const exchange::FirstHop &hop) {
      communicator.removeRoute(message, hop);
    });
    if (loop.site.taker == &old)
      loop.site.taker = nullptr;
    learning()->retire(std::move(one.routes));
  }
}

exchange::Routes *LearnedExchange::routesOf(std::uint64_t plan) const {
  const auto found =
      std::ranges::find(planned, plan, [](const auto &one) { return one.routes.plan; });
  return found == planned.end() ? nullptr : found->routes.routes.get();
}

} // namespace sendwright::adaptation
