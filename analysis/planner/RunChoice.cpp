// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/planner/RunChoice.h"

#include "analysis/file/Progress.h"
#include "analysis/redistribution/Redistributions.h"
#include "analysis/replay/RunSimulation.h"
#include "analysis/trace/RunSize.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace sendwright {

namespace {

/// A smaller part of the run says little about it.
constexpr std::uint64_t leastEvents = 200'000;

/// By site: the number of a candidate, from 1; 0: as written.
using Combination = std::vector<std::size_t>;

/// Gains smaller than the rounding error of summed times count as zero.
constexpr double roundingError = 1e-12;

class RunSearch {
public:
  RunSearch(const Profile &profile, const Timeline &whole, const SendLoops &wholeLoops,
            const Machine &machine, const std::vector<SiteCandidates> &sites,
            const RunChoiceOptions &options)
      : profile(profile), machine(machine), sites(sites), options(options), timeline(&whole),
        loops(&wholeLoops) {
    std::uint64_t candidates = 0;
    for (const SiteCandidates &site : sites)
      candidates += site.candidates.size();
    const std::uint64_t expected = 3 * (candidates + sites.size()) + 2;
    const std::uint64_t least = std::min(leastEvents, options.mostEvents);
    const std::uint64_t limit = std::clamp(options.allEvents / expected, least, options.mostEvents);
    unrollUpTo(simulatedEvents(profile, limit));
    for (const RankTimeline &rank : timeline->ranks)
      result.events += rank.size();
    mostReplays = std::max<std::uint64_t>(
        options.allEvents / std::max<std::uint64_t>(result.events, 1), 2 * sites.size() + 2);
    result.cut = timeline->cut;
  }

  RunChoice run() {
    Progress counted("replays", mostReplays, Progress::Total::AtMost);
    progress = &counted;
    result.sites.resize(sites.size());
    noteReached();
    const Combination asWritten(sites.size());
    result.asWritten = seconds(asWritten);
    if (options.elsewhere)
      result.asWritten = simulateRun(profile, *timeline, machine).seconds;
    if (redistributes())
      result.alltoallv = simulateRun(profile, *timeline, machine, nullptr, nullptr,
                                     RedistributionMethod::Alltoallv)
                             .wholeSeconds;
    Combination chosen = proposals();
    if (options.search && result.stuck > 0) {
      result.chosen = result.asWritten;
      for (SiteOutcome &outcome : result.sites)
        outcome.before = outcome.after = result.asWritten;
      result.replays = known.size();
      return std::move(result);
    }
    if (options.search) {
      improve(chosen);
      Combination other = asWritten;
      improve(other);
      if (seconds(other) <= seconds(chosen))
        chosen = other;
    }
    result.chosen = seconds(chosen);
    for (std::size_t site = 0; site < sites.size(); ++site)
      judge(site, chosen);
    result.replays = known.size();
    return std::move(result);
  }

private:
  /// The gain of a candidate at its site, together with the rest of a combination, when it was last
  /// evaluated.
  struct Prospect {
    std::size_t site = 0, number = 0;
    double gain = std::numeric_limits<double>::infinity(); // infinity: not evaluated yet
  };

  /// Notes which sites the replayed part of a run comes to.
  void noteReached() {
    std::vector<char> reached(profile.sites.size());
    for (const RankTimeline &rank : timeline->ranks)
      for (std::size_t position = 0; position < rank.size(); ++position)
        if (const Event &event = rank.at(position);
            event.site != noSite && event.kind != EventKind::SiteSkip)
          reached[static_cast<std::size_t>(event.site)] = 1;
    for (std::size_t site = 0; site < sites.size(); ++site)
      result.sites[site].reached =
          !timeline->cut || reached[static_cast<std::size_t>(sites[site].site)];
  }

  /// Both timelines together can take more memory than everything else.
  void unrollUpTo(std::uint64_t limit) {
    if (shareOfRank(profile, limit) == timeline->share)
      return;
    std::vector<std::string> refusals;
    refusals.reserve(loops->loops.size());
    for (const LoopFacts &facts : loops->loops)
      refusals.push_back(facts.refusal);
    part = unroll(profile, limit);
    partLoops = findSendLoops(profile, part, refusals);
    timeline = &part;
    loops = &partLoops;
  }

  bool redistributes() const {
    return std::any_of(profile.ranks.begin(), profile.ranks.end(),
                       [](const RankProfile &rank) { return hasRedistributions(rank); });
  }

  Combination proposals() const {
    Combination proposed(sites.size());
    for (std::size_t site = 0; site < sites.size(); ++site)
      if (sites[site].proposed != SiteCandidates::notProposed)
        proposed[site] = sites[site].proposed + 1;
    return proposed;
  }

  static Combination with(Combination combination, std::size_t site, std::size_t number) {
    combination[site] = number;
    return combination;
  }

  bool mayReplay(const Combination &combination) const {
    return known.contains(combination) || known.size() < mostReplays;
  }

  /// Whether `after` is enough below `before`.
  bool pays(double before, double after) const {
    const double gain = before - after;
    return gain >= -roundingError * before &&
           gain >= options.thresholdPercent / 100 * before - roundingError * before;
  }

  /// What is dropped may make room for something else.
  void improve(Combination &combination) {
    drop(combination);
    double before = std::numeric_limits<double>::infinity();
    while (seconds(combination) < before) {
      before = seconds(combination);
      add(combination);
      drop(combination);
    }
  }

  /// Repeatedly adds what helps most, or puts it in place of what is done at its site. A gain found
  /// together with fewer others is an upper estimate; only the most promising candidates are
  /// replayed again.
  void add(Combination &combination) {
    std::vector<Prospect> prospects;
    for (std::size_t site = 0; site < sites.size(); ++site)
      for (std::size_t number = 1; number <= sites[site].candidates.size(); ++number)
        if (combination[site] != number)
          prospects.push_back({site, number});
    while (!prospects.empty()) {
      const double before = seconds(combination);
      std::optional<std::size_t> best;
      // In the order of estimates: a candidate whose gain now exceeds the next estimate is the
      // best.
      std::stable_sort(prospects.begin(), prospects.end(),
                       [](const Prospect &a, const Prospect &b) { return a.gain > b.gain; });
      for (std::size_t index = 0; index < prospects.size(); ++index) {
        Prospect &prospect = prospects[index];
        if (best && prospects[*best].gain >= prospect.gain)
          break;
        const Combination extended = with(combination, prospect.site, prospect.number);
        if (!mayReplay(extended))
          break;
        prospect.gain = before - seconds(extended);
        if (!best || prospect.gain > prospects[*best].gain)
          best = index;
      }
      if (!best || !pays(before, before - prospects[*best].gain))
        return;
      const Prospect taken = prospects[*best];
      combination[taken.site] = taken.number;
      std::erase_if(prospects, [&](const Prospect &other) { return other.site == taken.site; });
    }
  }

  /// Drops what does not help together with the rest, worst first.
  void drop(Combination &combination) {
    while (true) {
      const double now = seconds(combination);
      std::optional<std::size_t> worst;
      double least = 0;
      for (std::size_t site = 0; site < sites.size(); ++site) {
        const Combination without = with(combination, site, 0);
        if (combination[site] == 0 || !mayReplay(without))
          continue;
        const double before = seconds(without);
        if (!pays(before, now) && (!worst || before - now < least)) {
          worst = site;
          least = before - now;
        }
      }
      if (!worst)
        return;
      combination[*worst] = 0;
    }
  }

  /// Computes the figures of one site, with all others as chosen.
  void judge(std::size_t site, const Combination &chosen) {
    SiteOutcome &outcome = result.sites[site];
    const std::vector<Candidate> &candidates = sites[site].candidates;
    outcome.before = outcome.after = result.chosen;
    if (chosen[site] > 0) {
      outcome.before =
          seconds(with(chosen, site, 0)); // the table shows it, whatever the search has taken
      const Candidate &taken = candidates[chosen[site] - 1];
      outcome.choice = chosen[site];
      outcome.choiceText = taken.nameChosen.empty() ? taken.name : taken.nameChosen;
      outcome.bestText = taken.name;
      outcome.after = result.chosen;
      outcome.tried = true;
      return;
    }
    for (std::size_t number = 1; number <= candidates.size(); ++number) {
      const Combination extended = with(chosen, site, number);
      if (!mayReplay(extended))
        return;
      const double after = seconds(extended);
      if (!outcome.tried || after < outcome.after) {
        outcome.bestText = candidates[number - 1].name;
        outcome.after = after;
      }
      outcome.tried = true;
    }
  }

  /// Seconds of the run under a combination. Each combination is replayed once.
  double seconds(const Combination &combination) {
    const auto [found, isNew] = known.try_emplace(combination, 0.0);
    if (isNew) {
      progress->advance();
      const RankCountPlan plan = planOf(combination);
      const RunSimulation run = simulateRun(profile, *timeline, machine, loops, &plan);
      if (known.size() == 1)
        noteStuck(run);
      // More ranks that wait forever are never an improvement.
      found->second =
          run.stuck > result.stuck ? std::numeric_limits<double>::infinity() : run.wholeSeconds;
    }
    return found->second;
  }

  /// Notes ranks that are stuck in the run as written.
  void noteStuck(const RunSimulation &run) {
    result.stuck = run.stuck;
    if (run.stuck == 0)
      return;
    const SimulatedPlace &place = run.places[run.stuckPlace];
    result.stuckAt = "rank " + std::to_string(run.stuckRank) + " in " + place.function +
                     (place.place.empty() ? "" : " at " + place.place);
  }

  RankCountPlan planOf(const Combination &combination) const {
    RankCountPlan plan = options.elsewhere ? *options.elsewhere : RankCountPlan();
    for (std::size_t index = 0; index < sites.size(); ++index) {
      if (combination[index] == 0)
        continue;
      const Candidate &candidate = sites[index].candidates[combination[index] - 1];
      const auto site = static_cast<std::uint32_t>(plan.sites.size());
      plan.sites.emplace_back();
      plan.sites.back().site = profile.sites[static_cast<std::size_t>(sites[index].site)];
      plan.sites.back().decision = Decision::Rewrite;
      plan.sites.back().transformation = candidate.stem;
      candidate.addTo(plan, site);
    }
    return plan;
  }

  const Profile &profile;
  const Machine &machine;
  const std::vector<SiteCandidates> &sites;
  const RunChoiceOptions &options;
  const Timeline *timeline; // what is replayed
  const SendLoops *loops;   // likewise
  Timeline part;            // replayed if it is shorter than the given timeline
  SendLoops partLoops;
  std::uint64_t mostReplays = 0;
  std::map<Combination, double> known;
  Progress *progress = nullptr; // of run()
  RunChoice result;
};

} // namespace

RunChoice chooseByReplay(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                         const Machine &machine, const std::vector<SiteCandidates> &sites,
                         const RunChoiceOptions &options) {
  return RunSearch(profile, timeline, loops, machine, sites, options).run();
}

} // namespace sendwright
