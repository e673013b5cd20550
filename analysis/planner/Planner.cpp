// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transformations study the run and propose what to do at each site; what is taken goes into the
// plan. Nothing here knows which transformations exist.

#include "analysis/planner/Planner.h"

#include "analysis/file/Limits.h"
#include "analysis/file/Progress.h"
#include "analysis/plan/Transformations.h"
#include "analysis/planner/RunReasons.h"
#include "analysis/program/TemplateLoops.h"
#include "analysis/simulation/Placement.h"

#include <algorithm>

namespace sendwright {

namespace {

std::uint64_t limitOf(const PlannerOptions &options) {
  return options.events > 0 ? options.events : limits::plannedCalls;
}

bool isBlockingCollective(const Event &event) {
  if (event.kind != EventKind::Call)
    return false;
  const MpiRole role = mpiFunction(event.function).role;
  return role == MpiRole::Collective || role == MpiRole::NeighborCollective;
}

/// Number of blocking collective calls, of the rank with the most.
std::uint64_t blockingCollectives(const Timeline &timeline) {
  std::uint64_t most = 0;
  for (const RankTimeline &rank : timeline.ranks) {
    std::uint64_t own = 0;
    for (std::size_t number = 0; number < rank.profile->events.size(); ++number)
      if (isBlockingCollective(rank.profile->events[number]))
        own += rank.count[number];
    most = std::max(most, own);
  }
  return most;
}

/// Unrolling, finding loops, proposing for all sites, replaying.
constexpr std::size_t stepsBesidesTransformations = 4;

class ProfilePlanner {
public:
  ProfilePlanner(const Profile &profile, const ProgramSummary &program, const std::string &name,
                 const PlannerOptions &options)
      : profile(profile), options(options),
        steps("steps", makeTransformations().size() + stepsBesidesTransformations,
              Progress::Total::Steps),
        timeline(unroll(profile, limitOf(options))),
        loops(findSendLoops(profile, timeline, loopRefusals(profile, program))),
        transformations(makeTransformations()),
        studied{profile, program, name, options, timeline, loops, blockingCollectives(timeline)} {
    studied.isServed = [this](MpiFunctionId function, const Communicator &communicator) {
      return std::ranges::any_of(transformations, [&](const auto &transformation) {
        return transformation->servesCalls(function, communicator);
      });
    };
  }

  ProfilePlan run() {
    steps.advance(2); // unrolled, loops found
    result.plan.profile = studied.name;
    result.ranks = profile.ranks.size();
    result.cut = timeline.cut;
    result.marked = profile.sites.size();
    for (const auto &transformation : transformations) {
      transformation->study(studied);
      steps.advance();
    }
    noteStuck();
    countMessages();
    for (std::size_t site = 0; site < profile.sites.size(); ++site)
      draftSite(static_cast<int>(site));
    steps.advance();
    if (options.replay != RunReplay::None)
      replayRun();
    steps.advance();
    const RunChoice *run = result.run ? &*result.run : nullptr;
    for (std::size_t number = 0; number < drafts.size(); ++number)
      addSite(number, run);
    for (const auto &transformation : transformations)
      transformation->finish(result.plan);
    return std::move(result);
  }

private:
  const Transformation &transformationOf(const Candidate &candidate) const {
    return **std::find_if(
        transformations.begin(), transformations.end(),
        [&](const auto &transformation) { return transformation->stem() == candidate.stem; });
  }

  /// Notes stuck ranks, except in a run that was cut, where ranks end anywhere.
  void noteStuck() {
    if (studied.stuck.empty() || timeline.cut)
      return;
    const EventPosition &first = studied.stuck.front();
    const Event &event = timeline.ranks[first.rank].at(first.position);
    result.stuckRanks = studied.stuck.size();
    result.stuckAt = "rank " + std::to_string(first.rank);
    if (event.kind == EventKind::Call)
      result.stuckAt += " in " + std::string(mpiFunction(event.function).name);
    if (event.site != noSite)
      result.stuckAt += " at " + profile.sites[static_cast<std::size_t>(event.site)].display();
  }

  void countMessages() {
    traffic.resize(profile.sites.size());
    for (const RankTimeline &rank : timeline.ranks)
      for (std::size_t number = 0; number < rank.profile->events.size(); ++number)
        count(*rank.profile, rank.profile->events[number], rank.count[number]);
  }

  void count(const RankProfile &rank, const Event &event, std::uint64_t count) {
    if (event.kind == EventKind::SiteEnter && event.site >= 0)
      traffic[event.site].executions += count;
    if (!sendsMessage(event))
      return;
    result.sends += count;
    result.bytes += count * event.bytes;
    if (event.site < 0) {
      result.sendsOutside += count;
      return;
    }
    // Sends in an inner loop belong to the loop whose batches hold them.
    const int holder = loops.loops[event.site].batchSite;
    const bool deferrable = isDeferrable(event, rank, timeline.ranks.size());
    Traffic &own = traffic[deferrable && holder >= 0 ? holder : event.site];
    own.sends += count;
    own.bytes += count * event.bytes;
    own.deferrable += deferrable ? count : 0;
    own.deferrableBytes += deferrable ? count * event.bytes : 0;
  }

  /// Whether the site belongs in the plan.
  bool concerns(int site) const {
    const LoopFacts &facts = loops.loops[site];
    if (facts.batchSite == site || facts.batchDestinations > 0 ||
        facts.sends + facts.synchronous + facts.exchanges + facts.toOtherGroups > 0)
      return true;
    return std::any_of(transformations.begin(), transformations.end(),
                       [&](const auto &transformation) { return transformation->concerns(site); });
  }

  void draftSite(int site) {
    if (!concerns(site))
      return;
    SiteDraft draft;
    draft.site = site;
    draft.plan.site = profile.sites[site];
    draft.plan.executions = traffic[site].executions;
    draft.plan.sends = traffic[site].sends;
    draft.plan.bytes = traffic[site].bytes;
    std::optional<SiteRefusal> loss;
    for (const auto &transformation : transformations) {
      const std::size_t before = draft.taken, candidates = draft.candidates.size();
      transformation->propose(draft);
      if (const MeasuredLoss *measured = findLoss(draft, *transformation)) {
        loss = SiteRefusal{.obstacle = SiteObstacle::MeasuredLoss, .measured = measured->gain};
        draft.candidates.resize(candidates);
        draft.taken = before;
        transformation->explainMissed(draft.plan, RefusalText(*loss));
      }
      if (draft.taken != before && before != SiteDraft::none)
        transformationOf(draft.candidates[before])
            .explainMissed(draft.plan,
                           RefusalText(CandidateRefusal{CandidateObstacle::AnotherGainsMore,
                                                        draft.candidates[draft.taken].means}));
    }
    drafts.push_back(std::move(draft));
    losses.push_back(std::move(loss));
  }

  const MeasuredLoss *findLoss(const SiteDraft &draft, const Transformation &transformation) const {
    const auto found = std::ranges::find_if(options.lost, [&](const MeasuredLoss &loss) {
      return loss.transformation == transformation.stem() && loss.site.sameAs(draft.plan.site);
    });
    return found == options.lost.end() ? nullptr : &*found;
  }

  /// Lets the whole run judge the sites' own choices, or choose itself.
  void replayRun() {
    std::vector<SiteCandidates> sites;
    sites.reserve(drafts.size());
    for (const SiteDraft &draft : drafts) {
      SiteCandidates &site = sites.emplace_back();
      site.site = draft.site;
      if (studied.isChosenByReplay()) {
        site.candidates = draft.candidates;
        site.proposed = draft.taken;
      } else if (draft.taken != SiteDraft::none) {
        site.candidates = {draft.candidates[draft.taken]};
        site.proposed = 0;
      }
    }
    RankCountPlan elsewhere;
    RunChoiceOptions choosing;
    for (const auto &transformation : transformations)
      if (transformation->actsElsewhere()) {
        transformation->finish(elsewhere);
        choosing.elsewhere = &elsewhere;
      }
    choosing.thresholdPercent = options.thresholdPercent;
    choosing.search = studied.isChosenByReplay();
    if (options.events > 0)
      choosing.replayUpTo(options.events);
    result.run = chooseByReplay(profile, timeline, loops, options.machine, sites, choosing);
  }

  /// `run`: null if the run was not replayed.
  void addSite(std::size_t number, const RunChoice *run) {
    SiteDraft &draft = drafts[number];
    Verdict verdict = draft.verdict.value_or(Verdict());
    if (run && studied.isChosenByReplay() && !draft.candidates.empty())
      verdict = decideByRun(draft, *run, run->sites[number]);
    else if (draft.taken != SiteDraft::none)
      verdict = {LeaveReason::None, draft.candidates[draft.taken].reason};
    if (const std::optional<SiteRefusal> &loss = losses[number];
        loss && draft.taken == SiteDraft::none)
      verdict = verdictOf(*loss);
    SitePlan &plan = draft.plan;
    plan.reason = verdict.reason;
    if (draft.taken != SiteDraft::none) {
      const Candidate &taken = draft.candidates[draft.taken];
      plan.decision = Decision::Rewrite;
      plan.transformation = taken.stem;
      plan.gain = taken.gain;
      plan.gainPercent = taken.gainPercent;
      taken.addTo(result.plan, static_cast<std::uint32_t>(result.plan.sites.size()));
    }
    result.plan.sites.push_back(std::move(plan));
    result.reasons.push_back(verdict.kind);
    const Traffic &own = traffic[static_cast<std::size_t>(draft.site)];
    result.reorderable.push_back({own.deferrable, own.deferrableBytes});
  }

  Verdict decideByRun(SiteDraft &draft, const RunChoice &run, const SiteOutcome &outcome) const {
    draft.taken = outcome.choice > 0 ? outcome.choice - 1 : SiteDraft::none;
    const Candidate *taken = outcome.choice > 0 ? &draft.candidates[draft.taken] : nullptr;
    for (const Candidate &candidate : draft.candidates) {
      const std::optional<CandidateRefusal> refusal = whyMissed(run, taken, candidate);
      transformationOf(candidate).explainMissed(
          draft.plan, refusal ? std::optional<RefusalText>(*refusal) : std::nullopt);
    }
    if (!taken && run.stuck > 0)
      return verdictOf(SiteRefusal{.obstacle = SiteObstacle::NotReplayed, .stuckAt = run.stuckAt});
    if (!taken)
      return verdictOf(judgeRun(outcome, options.thresholdPercent));
    if (taken->show)
      taken->show(draft.plan);
    return {LeaveReason::None, taken->reason + runGainText(outcome)};
  }

  struct Traffic {
    std::uint64_t executions = 0, sends = 0, bytes = 0, deferrable = 0, deferrableBytes = 0;
  };

  const Profile &profile;
  const PlannerOptions &options;
  Progress steps;
  Timeline timeline;
  SendLoops loops;
  std::vector<std::unique_ptr<Transformation>> transformations;
  StudiedRun studied;
  std::vector<Traffic> traffic; // by site
  std::vector<SiteDraft> drafts;
  std::vector<std::optional<SiteRefusal>> losses; // one for each draft
  ProfilePlan result;
};

/// A loop that a transformation treats as one in all its instantiations.
struct LoopAsOne {
  SiteIdentity loop;
  const Transformation *transformation;
};

std::vector<LoopAsOne> loopsAsOne(const std::vector<std::unique_ptr<Transformation>> &all,
                                  const Profile &profile, const ProgramSummary &program,
                                  const PlannerOptions &options) {
  std::vector<LoopAsOne> loops;
  for (const auto &transformation : all)
    for (SiteIdentity &loop : transformation->sitesAsOne(profile, program, options))
      loops.push_back({std::move(loop), transformation.get()});
  return loops;
}

/// The plan's entry for a loop whose instantiations were planned as one, or null.
const SitePlan *planOfLoop(const ProfilePlan &planned, const SiteIdentity &loop) {
  for (const SitePlan &site : planned.plan.sites)
    if (site.site.sameLoopAs(loop))
      return &site;
  return nullptr;
}

ProfilePlan planTogether(const std::vector<LoopAsOne> &together, const Profile &profile,
                         const ProgramSummary &program, const std::string &name,
                         const PlannerOptions &options) {
  if (together.empty())
    return ProfilePlanner(profile, program, name, options).run();
  std::vector<SiteIdentity> loops;
  loops.reserve(together.size());
  for (const LoopAsOne &one : together)
    loops.push_back(one.loop);
  return ProfilePlanner(withOneSiteFor(loops, profile), program, name, options).run();
}

} // namespace

/// Loops in templates that a transformation treats as one are planned as one; if the plan then
/// leaves them alone, they are planned by instantiation.
ProfilePlan planProfile(const Profile &profile, const std::string &name,
                        const PlannerOptions &given) {
  PlannerOptions options = given;
  options.machine = placedAsRecorded(given.machine, profile);
  const std::vector<std::unique_ptr<Transformation>> all = makeTransformations();
  ProgramSummary program = decodeUnits(profile, name);
  std::vector<LoopAsOne> together = loopsAsOne(all, profile, program, options), apart;
  std::vector<std::optional<RefusalText>>
      reasons; // why the loops in `apart` were left alone as one
  for (;;) {
    ProfilePlan planned = planTogether(together, profile, program, name, options);
    const std::size_t before = apart.size();
    std::erase_if(together, [&](const LoopAsOne &one) {
      const SitePlan *site = planOfLoop(planned, one.loop);
      if (site && site->transformation == one.transformation->stem())
        return false;
      apart.push_back(one);
      reasons.push_back(site ? one.transformation->missedReason(*site) : std::nullopt);
      return true;
    });
    if (apart.size() > before)
      continue;
    for (SitePlan &site : planned.plan.sites)
      for (std::size_t loop = 0; loop < apart.size(); ++loop)
        if (site.site.sameLoopAs(apart[loop].loop) && reasons[loop])
          apart[loop].transformation->explainMissed(site, reasons[loop]);
    planned.program = std::move(program);
    return planned;
  }
}

void addFacts(Plan &plan, ProgramSummary program) {
  plan.functions.merge(program.functions);
  for (auto &[symbol, facts] : program.functions) // those that the plan has, too
    addFunctionFacts(plan.functions, symbol, std::move(facts));
  plan.functionFiles.merge(program.files);
}

void addToPlan(Plan &plan, int ranks, RankCountPlan rankCount, ProgramSummary program) {
  addFacts(plan, std::move(program));
  plan.rankCounts[ranks] = std::move(rankCount);
}

} // namespace sendwright
