// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message ordering: which loops hold batches to order, in which orders, and why others do not.

#include "analysis/file/FigureText.h"
#include "analysis/ordering/ChosenOrders.h"
#include "analysis/ordering/OrderedRun.h"
#include "analysis/ordering/Phases.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/transformation/Transformation.h"

#include <algorithm>
#include <map>

namespace sendwright {

namespace {

constexpr std::string_view orderingStem = "message-ordering";

/// Orders of one loop at one rank; rarer patterns are sent in the order of the most frequent one.
constexpr std::size_t mostPatterns = 16;

bool hasOrders(const LoopOrdering &ordering) {
  return std::any_of(ordering.orders.begin(), ordering.orders.end(),
                     [](const std::vector<SendOrder> &ofRank) { return !ofRank.empty(); });
}

Verdict judgeSeparator(const LoopFacts &facts) {
  const MpiFunction &function = mpiFunction(facts.separator);
  const std::string name(function.name);
  if (facts.waitsForOwnSends)
    return {LeaveReason::SeparatedSends, "each send is waited for before the next (" + name + ")"};
  switch (function.role) {
  case MpiRole::Receive:
  case MpiRole::SendReceive:
  case MpiRole::MatchedReceive:
  case MpiRole::Probe:
  case MpiRole::Completion:
    return {LeaveReason::WaitsForReply, "it receives or waits between its sends (" + name + ")"};
  default:
    if (isSynchronousSend(function.role))
      return {LeaveReason::SynchronousSends, "sends are synchronous (" + name + ")"};
    return {LeaveReason::SeparatedSends, name + " between the sends issues them one by one"};
  }
}

/// The phase in which the order gains most.
const OrderingFigures &mainPhase(const LoopOrdering &ordering) {
  return *std::max_element(ordering.figures.begin(), ordering.figures.end(),
                           [](const OrderingFigures &a, const OrderingFigures &b) {
                             return a.given - a.planned < b.given - b.planned;
                           });
}

/// The figures of a loop as text: in sends or, for large messages, in time.
struct MainFigures {
  explicit MainFigures(const LoopOrdering &ordering) : main(mainPhase(ordering)) {
    const bool ports = main.window != 0;
    const auto text = [&](double value) {
      return ports ? timeText(value) : formatted("%.6g", value / main.unit);
    };
    what = ports ? "predicted " : "max c'_p ";
    given = text(main.given);
    bound = text(main.lowerBound);
    change = what + text(main.planned) + " instead of " + given + ", at least " + bound;
  }
  const OrderingFigures &main;
  std::string what, given, bound, change;
};

/// Seconds that the order gains in one phase.
double gainOf(const LoopOrdering &ordering) {
  return (ordering.given - ordering.planned) /
         static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
}

/// Seconds of computation in one phase that the order no longer overlaps.
double overlapLostBy(const LoopOrdering &ordering) {
  return ordering.overlapLost / static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
}

/// Whether a batch around this loop would hold messages to order at all.
Verdict judgeShape(const Profile &profile, const SendLoops &loops, int site) {
  const LoopFacts &facts = loops.loops[site];
  const bool holdsBatches = facts.batchDestinations > 0;
  if (facts.sends == 0 && !holdsBatches) {
    if (facts.synchronous + facts.exchanges + facts.toOtherGroups == 0)
      return {LeaveReason::ReceivesOnly, "it only receives"};
    if (facts.synchronous > 0)
      return {LeaveReason::SynchronousSends, "sends are synchronous (MPI_Ssend)"};
    if (facts.exchanges > 0)
      return {LeaveReason::WaitsForReply, "it receives or waits between its sends (MPI_Sendrecv)"};
    return {LeaveReason::OtherGroup, "sends go to another group of ranks (intercommunicator)"};
  }
  if (facts.sends > 0 && facts.batchSite < 0)
    return {LeaveReason::NeverSeen, "its sends lie beyond the calls that were examined"};
  if (!holdsBatches && facts.batchSite != site)
    return {LeaveReason::InRewrittenLoop, "its sends leave with those of what is around it, at " +
                                              profile.sites[facts.batchSite].display()};
  if (facts.destinations < 2)
    return {LeaveReason::OneDestination, "one destination in each execution"};
  if (facts.batchDestinations < 2)
    return judgeSeparator(facts);
  if (!facts.refusal.empty())
    return {LeaveReason::Refused, "the compiler would leave it: it " + facts.refusal};
  return {};
}

/// The sentence for an order that is taken. `cut`: only the beginning of the run was analysed.
std::string whyOrdered(const LoopOrdering &ordering, bool cut) {
  const MainFigures figures(ordering);
  std::string how = figures.main.key == "staggered" ? "staggered, one message in flight at a rank"
                    : figures.main.key == "as given"
                        ? "left in their order, one message in flight at a rank"
                        : "ordered by the " + figures.main.key + " at the receivers";
  if (ordering.figures.size() > 1)
    how += formatted("; %.0f patterns", static_cast<double>(ordering.figures.size()));
  if (cut)
    how += "; from the first part of the run";
  return "sends are " + how + " (" + figures.change + ")";
}

/// Whether the order gains at least the threshold, and more than the overlap that it loses, by its
/// own model.
Verdict judgeOrder(const LoopOrdering &ordering, double thresholdPercent, bool cut) {
  const MainFigures figures(ordering);
  const double tolerance = 1e-9 * ordering.given;
  if (ordering.given - ordering.planned <= tolerance)
    return {LeaveReason::AlreadyOptimal,
            (figures.main.given <= figures.main.lowerBound + tolerance
                 ? "the order as given is already optimal ("
                 : "no order is predicted to be faster than the one given (") +
                figures.what + figures.given + " of at least " + figures.bound + ")"};
  if (overlapLostBy(ordering) > gainOf(ordering))
    return {LeaveReason::OverlapLost,
            "it computes " + timeText(overlapLostBy(ordering)) +
                " between its sends, which would delay them by more than the order gains (" +
                timeText(gainOf(ordering)) + ")"};
  const double percent = 100 * (ordering.given - ordering.planned) / ordering.given;
  if (percent < thresholdPercent)
    return {LeaveReason::BelowThreshold,
            "the order gains " + percentText(percent) + ", below the threshold of " +
                percentText(thresholdPercent, 3) + " (" + figures.change + ")"};
  return {LeaveReason::None, whyOrdered(ordering, cut)};
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
      if (facts.batchDestinations < 2 || !facts.refusal.empty())
        continue;
      const Machine &machine = studied.options.machine;
      orderings[site] = std::make_shared<LoopOrdering>(chooseOrders(patterns, machine));
      if (paths)
        criticalOrderings[site] =
            std::make_shared<LoopOrdering>(chooseOrders(patterns, machine, OrderKey::CriticalPath));
    }
  }

  void propose(SiteDraft &draft) override {
    const bool cut = run->timeline.cut;
    Verdict verdict = judgeShape(run->profile, run->loops, draft.site);
    const auto found = orderings.find(draft.site);
    const auto critical = criticalOrderings.find(draft.site);
    bool orderable = false, anyOrders = false;
    if (found != orderings.end()) {
      const LoopOrdering &ordering = *found->second;
      showOrdering(ordering, draft.plan);
      if (draft.plan.executions == 0) // a text trace, which has no marks
        draft.plan.executions = ordering.phases;
      draft.overlapLost = overlapLostBy(ordering);
      anyOrders = hasOrders(ordering);
      orderable = verdict.kind == LeaveReason::None;
      if (orderable)
        verdict = judgeOrder(ordering, run->ownThreshold(), cut);
    }
    if (critical != criticalOrderings.end())
      anyOrders |= hasOrders(*critical->second);
    if (verdict.kind == LeaveReason::None && !anyOrders) // for example if threads of a rank send at
                                                         // the same time
      verdict = {LeaveReason::InNoPhase, "no phase of communication has its messages"};
    if (verdict.kind == LeaveReason::None)
      draft.taken = draft.candidates.size();
    if (verdict.kind == LeaveReason::None ||
        (orderable && verdict.kind == LeaveReason::OverlapLost))
      draft.candidates.push_back(candidateOf("order, published key", found->second, cut));
    if (orderable && critical != criticalOrderings.end() &&
        helps(*critical->second, *found->second))
      draft.candidates.push_back(candidateOf("order, critical path", critical->second, cut));
    draft.verdict = std::move(verdict);
  }

  std::unique_ptr<RunBehaviour> behave(const SimulatedPlan &simulated) const override {
    return orderedRun(simulated, orderingStem);
  }

  void finish(RankCountPlan &plan) override {
    plan.of<PlannedOrders>().ranks.resize(run->profile.ranks.size());
  }

private:
  static bool helps(const LoopOrdering &critical, const LoopOrdering &published) {
    return critical.given - critical.planned > 1e-9 * critical.given &&
           critical.orders != published.orders;
  }

  const StudiedRun *run = nullptr;
  std::map<int, std::shared_ptr<const LoopOrdering>> orderings, criticalOrderings;
};

} // namespace

std::unique_ptr<Transformation> makeMessageOrdering() {
  return std::make_unique<OrderingDecision>();
}

} // namespace sendwright
