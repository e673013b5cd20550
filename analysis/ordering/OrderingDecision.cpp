// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering: which loops hold batches to order, in which orders, and why others do not.

#include "analysis/file/FigureText.h"
#include "analysis/ordering/ChosenOrders.h"
#include "analysis/ordering/OrderedRun.h"
#include "analysis/ordering/OrderingRefusal.h"
#include "analysis/ordering/Phases.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/transformation/Transformation.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sendwright {

namespace {

constexpr std::string_view orderingStem = "message-ordering";

/// Orders of one loop at one rank; rarer patterns are sent in the order of the most frequent one.
constexpr std::size_t mostPatterns = 16;

bool hasOrders(const LoopOrdering &ordering) {
  return std::any_of(ordering.orders.begin(), ordering.orders.end(),
                     [](const std::vector<SendOrder> &ofRank) { return !ofRank.empty(); });
}

OrderingRefusal refusalForSeparator(const LoopFacts &facts) {
  const auto refused = [&](OrderingObstacle obstacle) {
    return OrderingRefusal{.obstacle = obstacle, .function = facts.separator};
  };
  if (facts.waitsForOwnSends)
    return refused(OrderingObstacle::EachSendAwaited);
  const MpiRole role = mpiFunction(facts.separator).role;
  switch (role) {
  case MpiRole::Receive:
  case MpiRole::SendReceive:
  case MpiRole::MatchedReceive:
  case MpiRole::Probe:
  case MpiRole::Completion:
    return refused(OrderingObstacle::WaitsForReply);
  default:
    return refused(isSynchronousSend(role) ? OrderingObstacle::SynchronousSends
                                           : OrderingObstacle::SeparatedSends);
  }
}

/// The phase in which the order gains most; of several such phases, the longest.
const OrderingFigures &mainPhase(const LoopOrdering &ordering) {
  const auto weight = [](const OrderingFigures &figures) {
    return std::pair(figures.given - figures.planned, figures.given);
  };
  return *std::max_element(
      ordering.figures.begin(), ordering.figures.end(),
      [&](const OrderingFigures &a, const OrderingFigures &b) { return weight(a) < weight(b); });
}

/// Seconds that the order gains in one phase.
double gainOf(const LoopOrdering &ordering) {
  return (ordering.given - ordering.planned) /
         static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
}

/// Seconds of computation in one phase that the order no longer overlaps.
double overlapLostBy(const LoopOrdering &ordering) {
  return ordering.overlapLost / static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
}

/// Why a batch around this loop would hold no messages to order; nothing if it would hold some.
std::optional<OrderingRefusal> whyNoBatch(const Profile &profile, const SendLoops &loops,
                                          int site) {
  const auto refused = [](OrderingObstacle obstacle, MpiFunctionId function = {}) {
    return OrderingRefusal{.obstacle = obstacle, .function = function};
  };
  const LoopFacts &facts = loops.loops[site];
  const bool holdsBatches = facts.batchDestinations > 0;
  if (facts.sends == 0 && !holdsBatches) {
    if (facts.synchronous + facts.exchanges + facts.toOtherGroups == 0)
      return refused(OrderingObstacle::ReceivesOnly);
    if (facts.synchronous > 0)
      return refused(OrderingObstacle::SynchronousSends, MpiFunctionId::Ssend);
    if (facts.exchanges > 0)
      return refused(OrderingObstacle::WaitsForReply, MpiFunctionId::Sendrecv);
    return refused(OrderingObstacle::OtherGroup);
  }
  if (facts.sends > 0 && facts.batchSite < 0)
    return refused(OrderingObstacle::BeyondAnalysis);
  if (!holdsBatches && facts.batchSite != site)
    return OrderingRefusal{.obstacle = OrderingObstacle::InAnotherBatch,
                           .place = profile.sites[facts.batchSite].display()};
  if (facts.destinations < 2)
    return refused(OrderingObstacle::OneDestination);
  if (facts.batchDestinations < 2)
    return refusalForSeparator(facts);
  if (!facts.refusal.empty())
    return OrderingRefusal{.obstacle = OrderingObstacle::RefusedByCompiler,
                           .problem = facts.refusal};
  return {};
}

/// The sentence for an order that is taken. `cut`: only the beginning of the run was analysed.
std::string whyOrdered(const LoopOrdering &ordering, bool cut) {
  const OrderingFigures &figures = mainPhase(ordering);
  std::string how =
      figures.key == staggeredKey        ? "staggered, one message in flight at a rank"
      : figures.key == "as given"        ? "left in their order, one message in flight at a rank"
      : figures.key == "nothing follows" ? "ordered so that few messages meet at a receiver"
                                         : "ordered by the " + figures.key + " at the receivers";
  if (ordering.figures.size() > 1)
    how += formatted("; %.0f patterns", static_cast<double>(ordering.figures.size()));
  if (cut)
    how += "; from the first part of the run";
  return "sends are " + how + " (" + changeText(figures) + ")";
}

/// Nothing if the order gains at least the threshold, and more than the overlap that it loses, by
/// its own model.
std::optional<OrderingRefusal> whyNotOrdered(const LoopOrdering &ordering,
                                             double thresholdPercent) {
  const OrderingFigures &figures = mainPhase(ordering);
  const auto refused = [&](OrderingObstacle obstacle, double gain = 0, double limit = 0) {
    return OrderingRefusal{.obstacle = obstacle, .figures = figures, .gain = gain, .limit = limit};
  };
  const double tolerance = 1e-9 * ordering.given;
  if (ordering.given - ordering.planned <= tolerance)
    return refused(figures.given <= figures.lowerBound + tolerance
                       ? OrderingObstacle::AlreadyOptimal
                       : OrderingObstacle::NoFasterOrder);
  if (overlapLostBy(ordering) > gainOf(ordering))
    return refused(OrderingObstacle::OverlapLost, gainOf(ordering), overlapLostBy(ordering));
  const double percent = 100 * (ordering.given - ordering.planned) / ordering.given;
  if (percent < thresholdPercent)
    return refused(OrderingObstacle::BelowThreshold, percent, thresholdPercent);
  return {};
}

void showOrdering(const LoopOrdering &ordering, SitePlan &plan) {
  plan.of<SiteOrdering>().figures = ordering.figures;
  plan.gain = gainOf(ordering);
  plan.gainPercent =
      ordering.given > 0 ? 100 * (ordering.given - ordering.planned) / ordering.given : 0;
}

void addOrders(RankCountPlan &plan, std::uint32_t site, const LoopOrdering &ordering) {
  std::vector<std::vector<RankSite>> &ranks = plan.of<PlannedOrders>().ranks;
  ranks.resize(std::max(ranks.size(), ordering.orders.size()));
  for (std::size_t rank = 0; rank < ordering.orders.size(); ++rank)
    if (!ordering.orders[rank].empty())
      ranks[rank].push_back({site, ordering.orders[rank]});
}

Candidate candidateOf(const char *name, const std::shared_ptr<const LoopOrdering> &ordering,
                      bool cut) {
  Candidate candidate;
  candidate.stem = orderingStem;
  candidate.name = name;
  candidate.means = "the order";
  SitePlan figures;
  showOrdering(*ordering, figures);
  candidate.gain = figures.gain;
  candidate.gainPercent = figures.gainPercent;
  candidate.reason = whyOrdered(*ordering, cut);
  candidate.addTo = [ordering](RankCountPlan &plan, std::uint32_t site) {
    addOrders(plan, site, *ordering);
  };
  candidate.show = [ordering](SitePlan &plan) { showOrdering(*ordering, plan); };
  return candidate;
}

/// An order beside the published one that the replay may choose.
struct OtherOrders {
  const char *name;
  std::shared_ptr<const LoopOrdering> ordering;
};

/// The orders of one loop.
struct OrdersOfLoop {
  std::shared_ptr<const LoopOrdering> published;
  std::vector<OtherOrders> others; ///< each with orders of its own; none unless the replay chooses
};

/// Whether a message is at its receiver's port for a tenth of a send or longer.
bool isMeetingNoticed(const LoopOrdering &ordering, const Machine &machine) {
  constexpr double noticed = 0.1;
  return std::any_of(ordering.figures.begin(), ordering.figures.end(),
                     [&](const OrderingFigures &figures) {
                       return figures.messages > 0 &&
                              machine.between.G * static_cast<double>(figures.bytes) >=
                                  noticed * figures.unit * static_cast<double>(figures.messages);
                     });
}

OrdersOfLoop ordersFor(const std::vector<Pattern> &patterns, const Machine &machine,
                       bool chosenByReplay) {
  OrdersOfLoop orders;
  const auto choose = [&](OrderKey key, EqualOrders equal) {
    return std::make_shared<const LoopOrdering>(chooseOrders(patterns, machine, key, equal));
  };
  orders.published = choose(OrderKey::Published, EqualOrders::Given);
  if (!chosenByReplay)
    return orders;
  const auto offer = [&](const char *name, std::shared_ptr<const LoopOrdering> ordering) {
    const auto isEqual = [&](const OtherOrders &other) {
      return other.ordering->orders == ordering->orders;
    };
    if (ordering->orders != orders.published->orders &&
        std::none_of(orders.others.begin(), orders.others.end(), isEqual))
      orders.others.push_back({name, std::move(ordering)});
  };
  auto critical = choose(OrderKey::CriticalPath, EqualOrders::Given);
  if (critical->given - critical->planned > 1e-9 * critical->given)
    offer("order, critical path", std::move(critical));
  offer("order, key alone", choose(OrderKey::Published, EqualOrders::Descending));
  if (isMeetingNoticed(*orders.published, machine))
    offer("order, few meet", choose(OrderKey::Published, EqualOrders::FewMeet));
  return orders;
}

class OrderingDecision final : public Transformation {
public:
  std::string_view stem() const override { return orderingStem; }

  /// Orders every loop with batches to more than one rank.
  void study(StudiedRun &studied) override {
    run = &studied;
    std::optional<FollowingPaths> paths;
    if (studied.isChosenByReplay())
      paths.emplace(studied.timeline, studied.options.machine);
    std::map<int, std::vector<Pattern>> ofSite;
    FoundPatterns found = findPatterns(studied.timeline, studied.loops, mostPatterns, studied.name,
                                       paths ? &*paths : nullptr);
    studied.stuck = std::move(found.stuck);
    for (Pattern &pattern : found.patterns)
      ofSite[pattern.site].push_back(std::move(pattern));
    for (auto &[site, patterns] : ofSite) {
      const LoopFacts &facts = studied.loops.loops[site];
      if (facts.batchDestinations >= 2 && facts.refusal.empty())
        orderings[site] = ordersFor(patterns, studied.options.machine, paths.has_value());
    }
  }

  void propose(SiteDraft &draft) override {
    const bool cut = run->timeline.cut;
    std::optional<OrderingRefusal> refusal = whyNoBatch(run->profile, run->loops, draft.site);
    const auto found = orderings.find(draft.site);
    bool orderable = false, anyOrders = false;
    if (found != orderings.end()) {
      const LoopOrdering &ordering = *found->second.published;
      showOrdering(ordering, draft.plan);
      if (draft.plan.executions == 0) // a text trace, which has no marks
        draft.plan.executions = ordering.phases;
      draft.overlapLost = overlapLostBy(ordering);
      anyOrders = hasOrders(ordering);
      orderable = !refusal;
      if (orderable)
        refusal = whyNotOrdered(ordering, run->ownThreshold());
    }
    if (!refusal && !anyOrders) // for example if threads of a rank send at the same time
      refusal = OrderingRefusal{.obstacle = OrderingObstacle::InNoPhase};
    if (!refusal)
      draft.taken = draft.candidates.size();
    if (!refusal || (orderable && refusal->obstacle == OrderingObstacle::OverlapLost))
      draft.candidates.push_back(
          candidateOf(nameOf(*found->second.published), found->second.published, cut));
    if (orderable)
      for (const OtherOrders &other : found->second.others)
        draft.candidates.push_back(candidateOf(other.name, other.ordering, cut));
    if (refusal)
      draft.verdict = verdictOf(*refusal);
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &simulated) const override {
    return orderedRun(simulated, orderingStem);
  }

  void finish(RankCountPlan &plan) override {
    plan.of<PlannedOrders>().ranks.resize(run->profile.ranks.size());
  }

private:
  static const char *nameOf(const LoopOrdering &published) {
    const auto isStaggered = [](const OrderingFigures &one) { return one.key == staggeredKey; };
    return std::ranges::any_of(published.figures, isStaggered) ? "order, staggered"
                                                               : "order, published key";
  }

  const StudiedRun *run = nullptr;
  std::map<int, OrdersOfLoop> orderings; // by site
};

} // namespace

std::unique_ptr<Transformation> makeMessageOrdering() {
  return std::make_unique<OrderingDecision>();
}

} // namespace sendwright
