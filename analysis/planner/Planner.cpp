// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/Planner.h"

#include "analysis/collectives/CollectiveDecision.h"
#include "analysis/collectives/ConfirmedCollectives.h"
#include "analysis/file/Limits.h"
#include "analysis/ordering/OrderingDecision.h"
#include "analysis/ordering/Phases.h"
#include "analysis/planner/PlanReasons.h"
#include "analysis/program/TemplateLoops.h"
#include "analysis/program/UnitSummary.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/run/SendLoops.h"
#include "analysis/run/Timeline.h"
#include "analysis/sharing/SharableExchanges.h"
#include "analysis/sharing/SharingDecision.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace sendwright {

namespace {

/// Orders of one loop at one rank; what is rarer is sent in the order of the most frequent.
constexpr std::size_t mostPatterns = 16;

std::uint64_t limitOf(const PlannerOptions &options) {
  return options.events > 0 ? options.events : limits::plannedCalls;
}

bool hasOrders(const LoopOrdering &ordering) {
  return std::any_of(ordering.orders.begin(), ordering.orders.end(),
                     [](const std::vector<SendOrder> &ofRank) { return !ofRank.empty(); });
}

bool isBlockingCollective(const Event &event) {
  if (event.kind != EventKind::Call)
    return false;
  const MpiRole role = mpiFunction(event.function).role;
  return role == MpiRole::Collective || role == MpiRole::NeighborCollective;
}

class ProfilePlanner {
public:
  ProfilePlanner(const Profile &profile, const PlannerOptions &options)
      : profile(profile), options(options), timeline(unroll(profile, limitOf(options))),
        loops(findSendLoops(profile, timeline)) {}

  ProfilePlan run(const std::string &name) {
    result.plan.profile = name;
    result.plan.ranks.resize(profile.ranks.size());
    result.cut = timeline.cut;
    result.marked = profile.sites.size();
    decideLoops(name);
    if (options.collectives)
      findCollectives(name);
    if (options.sharing)
      for (ExchangeFinding &finding : findSharableExchanges(profile, timeline, loops, meetings()))
        exchanges[finding.site] = std::move(finding);
    countMessages();
    for (std::size_t site = 0; site < profile.sites.size(); ++site)
      draftSite(static_cast<int>(site));
    if (options.replay != RunReplay::None)
      replayRun();
    for (std::size_t number = 0; number < drafts.size(); ++number)
      addSite(drafts[number], result.run ? &result.run->sites[number] : nullptr);
    result.plan.redistributions = frequentRedistributions(profile);
    return std::move(result);
  }

private:
  /// A site on its way into the plan.
  struct Draft {
    int site = 0;
    SitePlan plan;
    Verdict verdict; // of ordering it by the published key
    bool orderable = false;
    bool offered = false; // the whole run was to decide
    LoopOrdering ordering, critical;
    std::optional<SharingDecision> sharing;
    const CollectiveDecision *collective = nullptr; // with a schedule
    SiteChoice choice = SiteChoice::AsWritten;      // of its own model
  };

  bool choosesByReplay() const { return options.replay == RunReplay::Choose; }

  /// Orders every loop with batches to more than one rank.
  void decideLoops(const std::string &name) {
    std::optional<FollowingPaths> paths;
    if (choosesByReplay())
      paths.emplace(timeline, options.machine);
    std::map<int, std::vector<Pattern>> ofSite;
    FoundPatterns found =
        findPatterns(timeline, loops, mostPatterns, name, paths ? &*paths : nullptr);
    noteStuck(found.stuck);
    for (Pattern &pattern : found.patterns)
      ofSite[pattern.site].push_back(std::move(pattern));
    for (auto &[site, patterns] : ofSite) {
      if (loops.loops[site].batchDestinations < 2 || !loops.loops[site].refusal.empty())
        continue;
      orderings[site] = decideOrdering(patterns, options.machine);
      if (paths)
        criticalOrderings[site] = decideOrdering(patterns, options.machine, OrderKey::CriticalPath);
    }
  }

  /// In a run that was cut ranks end anywhere.
  void noteStuck(const std::vector<EventPosition> &stuck) {
    if (stuck.empty() || timeline.cut)
      return;
    const EventPosition &first = stuck.front();
    const Event &event = timeline.ranks[first.rank].at(first.position);
    result.stuckRanks = stuck.size();
    result.stuckAt = "rank " + std::to_string(first.rank);
    if (event.kind == EventKind::Call)
      result.stuckAt += " in " + std::string(mpiFunction(event.function).name);
    if (event.site != noSite)
      result.stuckAt += " at " + profile.sites[static_cast<std::size_t>(event.site)].display();
  }

  /// Loops that are collective operations, or nearly, and by which schedules they would go.
  void findCollectives(const std::string &name) {
    for (CollectiveFinding &finding :
         confirmCollectives(profile, timeline, loops, collectivesInSource(profile, name))) {
      if (finding.missing.empty())
        schedules[finding.site] =
            decideCollective(finding, options.machine, options.replay == RunReplay::Choose);
      operations[finding.site] = std::move(finding);
    }
  }

  /// Where ranks would wait for one another if all of these loops went by schedules.
  std::vector<ExchangeInstance> meetings() const {
    std::vector<ExchangeInstance> instances;
    for (const auto &[site, decision] : schedules)
      if (!decision.parts.empty())
        for (const LoopInstance &instance : operations.at(site).instances)
          instances.push_back({noSite, instance.entries, true});
    return instances;
  }

  void countMessages() {
    traffic.resize(profile.sites.size());
    for (const RankTimeline &rank : timeline.ranks) {
      std::uint64_t own = 0;
      for (std::size_t number = 0; number < rank.profile->events.size(); ++number)
        if (isBlockingCollective(rank.profile->events[number]))
          own += rank.count[number];
      collectives = std::max(collectives, own);
    }
    for (const RankTimeline &rank : timeline.ranks)
      for (std::size_t number = 0; number < rank.profile->events.size(); ++number) {
        const Event &event = rank.profile->events[number];
        const std::uint64_t count = rank.count[number];
        if (event.kind == EventKind::SiteEnter && event.site >= 0)
          traffic[event.site].executions += count;
        if (!sendsMessage(event))
          continue;
        result.sends += count;
        result.bytes += count * event.bytes;
        if (event.site < 0) {
          result.sendsOutside += count;
          continue;
        }
        // Sends in an inner loop belong to the loop whose batches hold them.
        const int holder = loops.loops[event.site].batchSite;
        const bool deferrable = isDeferrable(event, *rank.profile, timeline.ranks.size());
        Traffic &own = traffic[deferrable && holder >= 0 ? holder : event.site];
        own.sends += count;
        own.bytes += count * event.bytes;
        own.deferrable += deferrable ? count : 0;
        own.deferrableBytes += deferrable ? count * event.bytes : 0;
      }
  }

  void draftSite(int site) {
    const LoopFacts &facts = loops.loops[site];
    const bool holdsBatches = facts.batchSite == site || facts.batchDestinations > 0;
    const bool sends = facts.sends + facts.synchronous + facts.exchanges + facts.toOtherGroups > 0;
    if (!sends && !holdsBatches && !operations.contains(site))
      return;
    Draft draft;
    draft.site = site;
    draft.plan.site = profile.sites[site];
    draft.plan.executions = traffic[site].executions;
    draft.plan.sends = traffic[site].sends;
    draft.plan.bytes = traffic[site].bytes;
    draft.verdict = judgeShape(profile, loops, site);
    if (const auto found = orderings.find(site); found != orderings.end()) {
      draft.ordering = std::move(found->second);
      describeOrdering(draft.ordering, draft.plan);
      if (draft.plan.executions == 0) // a text trace, which has no marks
        draft.plan.executions = draft.ordering.phases;
      draft.orderable = draft.verdict.kind == LeaveReason::None;
      if (draft.orderable)
        draft.verdict = judgeOrder(draft.ordering, ownThreshold(), result.cut);
    }
    if (const auto found = criticalOrderings.find(site); found != criticalOrderings.end())
      draft.critical = std::move(found->second);
    if (draft.verdict.kind == LeaveReason::None && !hasOrders(draft.ordering) &&
        !hasOrders(draft.critical)) // as where several threads of a rank send at once
      draft.verdict = {LeaveReason::InNoPhase, "no phase of communication has its messages"};
    if (draft.verdict.kind == LeaveReason::None)
      draft.choice = SiteChoice::PublishedOrder;
    draftSharing(draft);
    draftCollective(draft);
    drafts.push_back(std::move(draft));
  }

  /// Where the whole run decides, a site's own model only says what may help.
  double ownThreshold() const { return choosesByReplay() ? 0 : options.thresholdPercent; }

  /// Whether messages of the site may travel through other ranks; its own model's choice.
  void draftSharing(Draft &draft) {
    const auto finding = exchanges.find(draft.site);
    if (finding == exchanges.end())
      return;
    draft.plan.notShared = finding->second.missing;
    if (!draft.plan.notShared.empty())
      return;
    const SharableExchange &exchange = finding->second.exchange;
    // All its ways through other ranks are used in every execution, whichever pattern it has.
    if (options.assumed && !exchange.patterns.empty()) {
      draft.plan.notShared = "it serves " + std::to_string(exchange.patterns.size()) +
                             " patterns by turns: whether that gains, a machine has to be named "
                             "for (--machine)";
      return;
    }
    draft.sharing =
        decideSharing(exchange, static_cast<int>(profile.ranks.size()), options.machine);
    SharingPrediction &prediction = draft.sharing->prediction;
    prediction.collectiveSeconds = lostAtCollectives(exchange, draft.plan);
    draft.plan.sharing = prediction;
    const bool ordered = draft.choice == SiteChoice::PublishedOrder;
    draft.plan.notShared = whyNotShared(prediction, ordered ? draft.plan.gain : 0,
                                        overlapLostBy(draft.ordering), ownThreshold());
    if (draft.plan.notShared.empty())
      draft.choice = SiteChoice::Sharing;
  }

  /// Whether the loop may go by a schedule; its own model's choice.
  void draftCollective(Draft &draft) {
    const auto finding = operations.find(draft.site);
    if (finding == operations.end())
      return;
    SitePlan &plan = draft.plan;
    plan.notCollective = finding->second.missing;
    if (!plan.notCollective.empty())
      return;
    const CollectiveDecision &decision = schedules.at(draft.site);
    plan.collective = decision.prediction;
    double otherGain = 0;
    if (draft.choice == SiteChoice::Sharing && draft.sharing)
      otherGain = draft.sharing->prediction.gain();
    else if (draft.choice == SiteChoice::PublishedOrder)
      otherGain = plan.gain;
    plan.notCollective = whyNotCollective(decision.prediction, otherGain, ownThreshold());
    if (!decision.parts.empty())
      draft.collective = &decision;
    if (draft.collective && plan.notCollective.empty()) {
      draft.choice = SiteChoice::CollectiveSchedule;
      if (draft.sharing && plan.notShared.empty())
        plan.notShared = "a schedule is predicted to gain more";
    }
  }

  /// Judges the sites' own choices by the whole run, or has it choose.
  void replayRun() {
    std::vector<SiteCandidates> sites;
    sites.reserve(drafts.size());
    for (Draft &draft : drafts) {
      sites.push_back(candidatesOf(draft));
      draft.offered = choosesByReplay() && !sites.back().candidates.empty();
    }
    RunChoiceOptions choosing;
    choosing.thresholdPercent = options.thresholdPercent;
    choosing.search = choosesByReplay();
    result.run = chooseByReplay(profile, options.machine, sites, choosing);
  }

  SiteCandidates candidatesOf(const Draft &draft) const {
    SiteCandidates site;
    site.site = draft.site;
    const auto offer = [&](ChoiceCandidate candidate) {
      if (!choosesByReplay() && candidate.kind != draft.choice)
        return;
      if (candidate.kind == draft.choice)
        site.proposed = site.candidates.size();
      site.candidates.push_back(std::move(candidate));
    };
    const LeaveReason kind = draft.verdict.kind;
    if (kind == LeaveReason::None || (draft.orderable && kind == LeaveReason::OverlapLost))
      offer({SiteChoice::PublishedOrder, draft.ordering.orders, {}, {}});
    const LoopOrdering &critical = draft.critical;
    if (draft.orderable && critical.given - critical.planned > 1e-9 * critical.given &&
        critical.orders != draft.ordering.orders)
      offer({SiteChoice::CriticalPathOrder, critical.orders, {}, {}});
    if (draft.sharing && draft.sharing->table.stages >= 2)
      offer({SiteChoice::Sharing,
             {},
             exchangeOf(draft.site, *draft.sharing),
             partsOf(*draft.sharing)});
    if (draft.collective)
      offer({SiteChoice::CollectiveSchedule,
             {},
             {},
             {},
             draft.collective->collective,
             draft.collective->parts});
    return site;
  }

  /// `outcome`: null where the run was not replayed.
  void addSite(Draft &draft, const SiteOutcome *outcome) {
    SitePlan &plan = draft.plan;
    Verdict verdict = draft.verdict;
    if (draft.offered)
      verdict = decideByRun(draft, *outcome);
    else if (draft.choice == SiteChoice::Sharing && draft.sharing)
      verdict = {LeaveReason::None, whyShared(draft.sharing->prediction, result.cut)};
    else if (draft.choice == SiteChoice::CollectiveSchedule && plan.collective)
      verdict = {LeaveReason::None, whyCollective(*plan.collective, result.cut)};
    plan.reason = verdict.reason;
    if (draft.choice != SiteChoice::AsWritten)
      plan.decision = Decision::Rewrite;
    if (draft.choice == SiteChoice::Sharing && draft.sharing)
      addExchange(draft, *draft.sharing);
    else if (draft.choice == SiteChoice::CollectiveSchedule && draft.collective)
      addSchedule(draft);
    else if (draft.choice != SiteChoice::AsWritten)
      addOrders(draft);
    result.plan.sites.push_back(std::move(plan));
    result.reasons.push_back(verdict.kind);
    const Traffic &own = traffic[static_cast<std::size_t>(draft.site)];
    result.reorderable.push_back({own.deferrable, own.deferrableBytes});
  }

  Verdict decideByRun(Draft &draft, const SiteOutcome &outcome) const {
    draft.choice = outcome.choice;
    SitePlan &plan = draft.plan;
    const bool stuck = result.run && result.run->stuck > 0;
    if (outcome.choice == SiteChoice::CriticalPathOrder)
      describeOrdering(draft.critical, plan);
    if (outcome.choice == SiteChoice::Sharing)
      plan.notShared.clear();
    else if (draft.sharing && draft.sharing->table.stages >= 2)
      plan.notShared = stuck ? "the run cannot be replayed to its end"
                       : outcome.choice == SiteChoice::AsWritten
                           ? "the whole run is not predicted to gain enough by it"
                       : outcome.choice == SiteChoice::CollectiveSchedule
                           ? "the whole run is predicted to end sooner by a schedule"
                           : "the whole run is predicted to end sooner by the order";
    if (draft.collective)
      plan.notCollective = outcome.choice == SiteChoice::CollectiveSchedule ? ""
                           : stuck ? "the run cannot be replayed to its end"
                           : outcome.choice == SiteChoice::AsWritten
                               ? "the whole run is not predicted to gain enough by it"
                               : "the whole run is predicted to end sooner otherwise";
    switch (outcome.choice) {
    case SiteChoice::AsWritten:
      break;
    case SiteChoice::PublishedOrder:
      return {LeaveReason::None, whyOrdered(draft.ordering, result.cut) + runGainText(outcome)};
    case SiteChoice::CriticalPathOrder:
      return {LeaveReason::None, whyOrdered(draft.critical, result.cut) + runGainText(outcome)};
    case SiteChoice::Sharing:
      if (!draft.sharing)
        break;
      return {LeaveReason::None,
              whyShared(draft.sharing->prediction, result.cut) + runGainText(outcome)};
    case SiteChoice::CollectiveSchedule:
      if (!plan.collective)
        break;
      return {LeaveReason::None,
              whyCollective(*plan.collective, result.cut) + runGainText(outcome)};
    }
    return stuck ? judgeStuckRun(*result.run) : judgeRun(outcome, options.thresholdPercent);
  }

  /// The orders of the site that is about to be added, for the ranks that send in it.
  void addOrders(Draft &draft) {
    draft.plan.transformation = "message-ordering";
    LoopOrdering &ordering =
        draft.choice == SiteChoice::CriticalPathOrder ? draft.critical : draft.ordering;
    const auto site = static_cast<std::uint32_t>(result.plan.sites.size());
    for (std::size_t rank = 0; rank < ordering.orders.size(); ++rank)
      if (!ordering.orders[rank].empty())
        result.plan.ranks[rank].push_back({site, std::move(ordering.orders[rank])});
  }

  /// Seconds for one instance (Plan.h says why).
  double lostAtCollectives(const SharableExchange &exchange, const SitePlan &plan) const {
    const auto members = static_cast<double>(exchange.communicator.members.size());
    const double executions = std::max(static_cast<double>(plan.executions) / members,
                                       static_cast<double>(exchange.instances));
    return static_cast<double>(collectives) / executions *
           meetingSeconds(exchange.communicator.members.size(), options.machine);
  }

  /// The exchange of a site, for the place that the site will have in the plan.
  SharedExchange exchangeOf(int site, const SharingDecision &sharing) const {
    return {static_cast<std::uint32_t>(result.plan.sites.size()),
            exchanges.at(site).exchange.communicator,
            sharing.prediction.method,
            static_cast<std::uint32_t>(sharing.table.stages),
            sharing.pattern.messages.size(),
            exchanges.at(site).exchange.anySource};
  }

  std::vector<RankExchange> partsOf(const SharingDecision &sharing) const {
    return partsOfRanks(static_cast<std::uint32_t>(result.plan.exchanges.size()), sharing.pattern,
                        sharing.tags, sharing.table);
  }

  /// The routes of the site that is about to be added.
  void addExchange(Draft &draft, const SharingDecision &sharing) {
    draft.plan.transformation = "message-sharing";
    draft.plan.gain = sharing.prediction.gain();
    draft.plan.gainPercent = sharing.prediction.gainPercent();
    RankCountPlan &plan = result.plan;
    std::vector<RankExchange> parts = partsOf(sharing);
    plan.exchanges.push_back(exchangeOf(draft.site, sharing));
    plan.rankExchanges.resize(profile.ranks.size());
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
      if (!parts[rank].messages.empty())
        plan.rankExchanges[rank].push_back(std::move(parts[rank]));
  }

  /// The schedule of the site that is about to be added.
  void addSchedule(Draft &draft) {
    draft.plan.transformation = "collectives";
    if (const auto &prediction = draft.plan.collective) {
      draft.plan.gain = prediction->gain();
      draft.plan.gainPercent = prediction->gainPercent();
    }
    addCollective(result.plan, profile.ranks.size(),
                  static_cast<std::uint32_t>(result.plan.sites.size()),
                  draft.collective->collective, draft.collective->parts);
  }

  static void describeOrdering(const LoopOrdering &ordering, SitePlan &plan) {
    plan.ordering = ordering.figures;
    plan.gain = gainOf(ordering);
    plan.gainPercent =
        ordering.given > 0 ? 100 * (ordering.given - ordering.planned) / ordering.given : 0;
  }

  struct Traffic {
    std::uint64_t executions = 0, sends = 0, bytes = 0, deferrable = 0, deferrableBytes = 0;
  };

  const Profile &profile;
  const PlannerOptions &options;
  Timeline timeline;
  SendLoops loops;
  std::map<int, LoopOrdering> orderings, criticalOrderings;
  std::map<int, ExchangeFinding> exchanges;
  std::map<int, CollectiveFinding> operations; // by site, as `schedules`
  std::map<int, CollectiveDecision> schedules; // of those that are collective operations
  std::vector<Traffic> traffic;                // per site
  std::uint64_t collectives = 0;               // calls of the rank with most
  std::vector<Draft> drafts;
  ProfilePlan result;
};

} // namespace

namespace {

/// What a plan says of a loop of which all instantiations were taken together; null: nothing.
const SitePlan *planOfLoop(const ProfilePlan &planned, const SiteIdentity &loop) {
  for (const SitePlan &site : planned.plan.sites)
    if (site.site.sameLoopAs(loop))
      return &site;
  return nullptr;
}

} // namespace

/// Loops in templates that are one operation in all their instantiations are planned as one; the
/// others are planned by instantiation.
ProfilePlan planProfile(const Profile &profile, const std::string &name,
                        const PlannerOptions &options) {
  std::vector<SiteIdentity> together, apart;
  std::vector<std::string> reasons; // why they are no operation, or gain nothing as one
  if (options.collectives)
    together = collectivesOfSeveralInstantiations(profile, collectivesInSource(profile, name));
  for (;;) {
    ProfilePlan planned =
        together.empty() ? ProfilePlanner(profile, options).run(name)
                         : ProfilePlanner(withOneSiteFor(together, profile), options).run(name);
    const std::size_t before = apart.size();
    std::erase_if(together, [&](const SiteIdentity &loop) {
      const SitePlan *site = planOfLoop(planned, loop);
      if (site && site->transformation == "collectives")
        return false;
      apart.push_back(loop);
      reasons.push_back(site ? site->notCollective : "");
      return true;
    });
    if (apart.size() > before)
      continue;
    for (SitePlan &site : planned.plan.sites)
      for (std::size_t loop = 0; loop < apart.size(); ++loop)
        if (site.site.sameLoopAs(apart[loop]) && !reasons[loop].empty())
          site.notCollective = reasons[loop];
    return planned;
  }
}

void addToPlan(Plan &plan, const Profile &profile, const std::string &name,
               RankCountPlan rankCount) {
  for (const ProfiledUnit &unit : profile.units)
    if (!unit.functions.empty()) {
      for (auto &[symbol, facts] :
           decodeUnitSummary(unit.functions, name + " (" + unit.file + ")").functions)
        addFunctionFacts(plan.functions, symbol, std::move(facts));
      plan.functionFiles.insert(std::filesystem::path(unit.file).filename().string());
    }
  plan.rankCounts[static_cast<int>(profile.ranks.size())] = std::move(rankCount);
}

} // namespace sendwright
