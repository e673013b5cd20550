// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/plan/Planner.h"

#include "analysis/plan/FrequentRedistributions.h"
#include "analysis/plan/FunctionSummary.h"
#include "analysis/plan/OrderingDecision.h"
#include "analysis/plan/Phases.h"
#include "analysis/plan/SendLoops.h"
#include "analysis/plan/SharableExchanges.h"
#include "analysis/plan/SharingDecision.h"
#include "analysis/plan/Timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

namespace sendwright {

namespace {

/// Orders of one loop at one rank; what is rarer is sent in the order of the most frequent.
constexpr std::size_t mostPatterns = 16;

std::string format(const char *pattern, double a, double b = 0, double c = 0) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, a, b, c);
  return text;
}

/// A time with a unit that a person can read.
std::string seconds(double value) {
  if (value >= 1)
    return format("%.3g s", value);
  return value >= 1e-3 ? format("%.3g ms", value * 1e3) : format("%.3g us", value * 1e6);
}

std::uint64_t limitOf(const Profile &profile, const PlannerOptions &options) {
  if (options.events > 0)
    return options.events;
  return std::clamp<std::uint64_t>(20'000 * profile.ranks.size(), 4'000'000, 20'000'000);
}

bool isBlockingCollective(const Event &event) {
  if (event.kind != EventKind::Call)
    return false;
  const MpiRole role = mpiFunction(event.function).role;
  return role == MpiRole::Collective || role == MpiRole::NeighborCollective;
}

struct Verdict {
  LeaveReason kind = LeaveReason::None;
  std::string reason;
};

class ProfilePlanner {
public:
  ProfilePlanner(const Profile &profile, const PlannerOptions &options)
      : profile(profile), options(options), timeline(unroll(profile, limitOf(profile, options))),
        loops(findSendLoops(profile, timeline)) {}

  ProfilePlan run(const std::string &name) {
    result.plan.profile = name;
    result.plan.ranks.resize(profile.ranks.size());
    result.cut = timeline.cut;
    result.marked = profile.sites.size();
    decideLoops();
    if (options.sharing)
      for (ExchangeFinding &finding : findSharableExchanges(profile, timeline, loops))
        exchanges[finding.site] = std::move(finding);
    countMessages();
    for (std::size_t site = 0; site < profile.sites.size(); ++site)
      addSite(static_cast<int>(site));
    result.plan.redistributions = frequentRedistributions(profile);
    return std::move(result);
  }

private:
  /// Orders every loop with batches to more than one rank.
  void decideLoops() {
    std::map<int, std::vector<Pattern>> ofSite;
    for (Pattern &pattern : findPatterns(timeline, loops, mostPatterns))
      ofSite[pattern.site].push_back(std::move(pattern));
    for (auto &[site, patterns] : ofSite)
      if (loops.loops[site].batchDestinations >= 2)
        orderings[site] = decideOrdering(patterns, options.machine);
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

  void addSite(int site) {
    const LoopFacts &facts = loops.loops[site];
    const bool holdsBatches = facts.batchSite == site || facts.batchDestinations > 0;
    const bool sends = facts.sends + facts.synchronous + facts.exchanges + facts.toOtherGroups > 0;
    if (!sends && !holdsBatches)
      return;
    SitePlan plan;
    plan.site = profile.sites[site];
    plan.executions = traffic[site].executions;
    plan.sends = traffic[site].sends;
    plan.bytes = traffic[site].bytes;
    Verdict verdict = judgeShape(site);
    auto ordering = orderings.find(site);
    if (ordering != orderings.end()) {
      describeOrdering(ordering->second, plan);
      if (plan.executions == 0) // a text trace, which has no marks
        plan.executions = ordering->second.phases;
      if (verdict.kind == LeaveReason::None)
        verdict = judgeGain(ordering->second, plan);
    }
    plan.reason = verdict.reason;
    if (sharingPays(site, verdict.kind == LeaveReason::None, plan)) {
      verdict.kind = LeaveReason::None;
    } else if (verdict.kind == LeaveReason::None) {
      plan.decision = Decision::Rewrite;
      plan.transformation = "message-ordering";
      addOrders(ordering->second);
    }
    result.plan.sites.push_back(std::move(plan));
    result.reasons.push_back(verdict.kind);
    result.reorderable.push_back({traffic[site].deferrable, traffic[site].deferrableBytes});
  }

  /// The orders of the site that is about to be added, for the ranks that send in it.
  void addOrders(LoopOrdering &ordering) {
    const auto site = static_cast<std::uint32_t>(result.plan.sites.size());
    for (std::size_t rank = 0; rank < ordering.orders.size(); ++rank)
      if (!ordering.orders[rank].empty())
        result.plan.ranks[rank].push_back({site, std::move(ordering.orders[rank])});
  }

  /// Decides whether the messages of the site that is about to be added travel through other ranks;
  /// if so the plan says it, otherwise why not. `ordered`: an order is worth what the plan says.
  bool sharingPays(int site, bool ordered, SitePlan &plan) {
    const auto finding = exchanges.find(site);
    if (finding == exchanges.end())
      return false;
    plan.notShared = finding->second.missing;
    if (!plan.notShared.empty())
      return false;
    SharingDecision decision = decideSharing(
        finding->second.exchange, static_cast<int>(profile.ranks.size()), options.machine);
    decision.prediction.collectiveSeconds = lostAtCollectives(finding->second.exchange, plan);
    plan.sharing = decision.prediction;
    plan.notShared = whyNotShared(site, ordered, plan.gain, decision.prediction);
    if (!plan.notShared.empty())
      return false;
    describeSharing(plan, decision.prediction);
    addExchange(finding->second.exchange, decision);
    return true;
  }

  /// `orderGain`: seconds, where the loop would be ordered.
  std::string whyNotShared(int site, bool ordered, double orderGain,
                           const SharingPrediction &sharing) const {
    const double gain = sharing.gain();
    const std::string times =
        seconds(sharing.seconds) + " instead of " + seconds(sharing.directSeconds);
    if (sharing.shared.stages < 2)
      return "no way through other ranks is predicted to be faster than directly (" +
             seconds(sharing.directSeconds) + ")";
    if (gain <= 0)
      return "what it gains (" + times + ") is less than it costs collective calls (" +
             seconds(sharing.collectiveSeconds) + ")";
    if (sharing.gainPercent() < options.thresholdPercent)
      return format("it gains %.2g %%, below the threshold of %.3g %%", sharing.gainPercent(),
                    options.thresholdPercent) +
             " (" + times + ")";
    if (const auto ordering = orderings.find(site); ordering != orderings.end()) {
      const double lost = ordering->second.overlapLost /
                          static_cast<double>(std::max<std::uint64_t>(ordering->second.phases, 1));
      if (lost > gain)
        return "it computes " + seconds(lost) +
               " between its sends, which would delay them by more than it gains (" +
               seconds(gain) + ")";
    }
    if (ordered && orderGain >= gain)
      return "the order alone gains " + seconds(orderGain) + ", and this " + seconds(gain) + " (" +
             times + ")";
    return "";
  }

  /// Seconds for one instance, by dissemination (Plan.h says why).
  double lostAtCollectives(const SharableExchange &exchange, const SitePlan &plan) const {
    const auto members = static_cast<double>(exchange.communicator.members.size());
    const double executions = std::max(static_cast<double>(plan.executions) / members,
                                       static_cast<double>(exchange.instances));
    const LinkParameters &link = options.machine.between;
    return static_cast<double>(collectives) / executions * std::ceil(std::log2(members)) *
           (link.L + link.o_send + link.o_recv);
  }

  void describeSharing(SitePlan &plan, const SharingPrediction &sharing) const {
    plan.decision = Decision::Rewrite;
    plan.transformation = "message-sharing";
    plan.gain = sharing.gain();
    plan.gainPercent = sharing.gainPercent();
    plan.reason = "messages travel through other ranks: " + sharing.method + ", " +
                  std::to_string(sharing.shared.maxLoad) +
                  " messages sent and received at the busiest rank instead of " +
                  std::to_string(sharing.direct.maxLoad) + " (predicted " +
                  seconds(sharing.seconds) + " instead of " + seconds(sharing.directSeconds) + ")";
    if (result.cut)
      plan.reason += "; from the first part of the run";
  }

  /// The routes of the site that is about to be added.
  void addExchange(const SharableExchange &exchange, const SharingDecision &decision) {
    RankCountPlan &plan = result.plan;
    const auto number = static_cast<std::uint32_t>(plan.exchanges.size());
    plan.exchanges.push_back({static_cast<std::uint32_t>(plan.sites.size()), exchange.communicator,
                              decision.prediction.method,
                              static_cast<std::uint32_t>(decision.table.stages),
                              decision.pattern.messages.size()});
    plan.rankExchanges.resize(profile.ranks.size());
    std::vector<RankExchange> parts =
        partsOfRanks(number, decision.pattern, decision.tags, decision.table);
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
      if (!parts[rank].messages.empty())
        plan.rankExchanges[rank].push_back(std::move(parts[rank]));
  }

  /// Whether a batch around this loop would hold messages to order at all.
  Verdict judgeShape(int site) const {
    const LoopFacts &facts = loops.loops[site];
    const bool holdsBatches = facts.batchDestinations > 0;
    if (facts.sends == 0 && !holdsBatches) {
      if (facts.synchronous > 0)
        return {LeaveReason::SynchronousSends, "sends are synchronous (MPI_Ssend)"};
      if (facts.exchanges > 0)
        return {LeaveReason::WaitsForReply,
                "each send waits for a reply inside the loop (MPI_Sendrecv)"};
      return {LeaveReason::OtherGroup, "sends go to another group of ranks (intercommunicator)"};
    }
    if (facts.sends > 0 && facts.batchSite < 0)
      return {LeaveReason::NeverSeen, "its sends lie beyond the calls that were looked at"};
    if (!holdsBatches && facts.batchSite != site)
      return {LeaveReason::InRewrittenLoop, "its sends are ordered in the loop around it, at " +
                                                profile.sites[facts.batchSite].display()};
    if (facts.destinations < 2)
      return {LeaveReason::OneDestination, "one destination in each execution"};
    if (facts.batchDestinations < 2)
      return judgeSeparator(facts);
    return {};
  }

  static Verdict judgeSeparator(const LoopFacts &facts) {
    const MpiFunction &function = mpiFunction(facts.separator);
    const std::string name(function.name);
    if (facts.waitsForOwnSends)
      return {LeaveReason::SeparatedSends,
              "each send is waited for before the next (" + name + ")"};
    switch (function.role) {
    case MpiRole::Receive:
    case MpiRole::SendReceive:
    case MpiRole::MatchedReceive:
    case MpiRole::Probe:
    case MpiRole::Completion:
      return {LeaveReason::WaitsForReply,
              "each send waits for a reply inside the loop (" + name + ")"};
    case MpiRole::SynchronousSend:
    case MpiRole::NonblockingSynchronousSend:
      return {LeaveReason::SynchronousSends, "sends are synchronous (" + name + ")"};
    default:
      return {LeaveReason::SeparatedSends, name + " between the sends issues them one by one"};
    }
  }

  void describeOrdering(const LoopOrdering &ordering, SitePlan &plan) const {
    const auto phases = static_cast<double>(std::max<std::uint64_t>(ordering.phases, 1));
    plan.ordering = ordering.figures;
    plan.gain = (ordering.given - ordering.planned) / phases;
    plan.gainPercent =
        ordering.given > 0 ? 100 * (ordering.given - ordering.planned) / ordering.given : 0;
  }

  Verdict judgeGain(const LoopOrdering &ordering, const SitePlan &plan) const {
    const OrderingFigures &main = mainPhase(ordering);
    const bool ports = main.window != 0; // large messages
    const bool staggered = main.key == "staggered";
    const double tolerance = 1e-9 * ordering.given;
    auto text = [&](double value) {
      return ports ? seconds(value) : format("%.6g", value / main.unit);
    };
    const std::string given = text(main.given), planned = text(main.planned),
                      bound = text(main.lowerBound);
    const std::string what = ports ? "predicted " : "max c'_p ";
    if (ordering.given - ordering.planned <= tolerance)
      return {LeaveReason::AlreadyOptimal,
              (main.given <= main.lowerBound + tolerance
                   ? "the order as given is already optimal ("
                   : "no order is predicted to be faster than the one given (") +
                  what + given + " of at least " + bound + ")"};
    if (ordering.overlapLost > ordering.given - ordering.planned)
      return {LeaveReason::OverlapLost,
              "it computes " +
                  seconds(ordering.overlapLost / static_cast<double>(ordering.phases)) +
                  " between its sends, which would delay them by more than the order gains (" +
                  seconds(plan.gain) + ")"};
    const std::string change = what + planned + " instead of " + given + ", at least " + bound;
    if (plan.gainPercent < options.thresholdPercent)
      return {LeaveReason::BelowThreshold, "the order gains " +
                                               format("%.2g %%, below the threshold of %.3g %%",
                                                      plan.gainPercent, options.thresholdPercent) +
                                               " (" + change + ")"};
    std::string how = staggered ? "staggered, one message in flight at a rank"
                      : main.key == "as given"
                          ? "left in their order, one message in flight at a rank"
                          : "ordered by the " + main.key + " at the receivers";
    if (ordering.figures.size() > 1)
      how += format("; %.0f patterns", static_cast<double>(ordering.figures.size()));
    if (result.cut)
      how += "; from the first part of the run";
    return {LeaveReason::None, "sends are " + how + " (" + change + ")"};
  }

  /// The phase in which the order gains most.
  static const OrderingFigures &mainPhase(const LoopOrdering &ordering) {
    return *std::max_element(ordering.figures.begin(), ordering.figures.end(),
                             [](const OrderingFigures &a, const OrderingFigures &b) {
                               return a.given - a.planned < b.given - b.planned;
                             });
  }

  struct Traffic {
    std::uint64_t executions = 0, sends = 0, bytes = 0, deferrable = 0, deferrableBytes = 0;
  };

  const Profile &profile;
  const PlannerOptions &options;
  Timeline timeline;
  SendLoops loops;
  std::map<int, LoopOrdering> orderings;
  std::map<int, ExchangeFinding> exchanges;
  std::vector<Traffic> traffic;  // per site
  std::uint64_t collectives = 0; // calls of the rank with most
  ProfilePlan result;
};

} // namespace

const char *describe(LeaveReason reason) {
  switch (reason) {
  case LeaveReason::None:
    return "rewritten";
  case LeaveReason::OneDestination:
    return "one destination in each execution";
  case LeaveReason::WaitsForReply:
    return "each send waits for a reply";
  case LeaveReason::SeparatedSends:
    return "another call between the sends";
  case LeaveReason::SynchronousSends:
    return "synchronous sends";
  case LeaveReason::OtherGroup:
    return "sends to another group of ranks";
  case LeaveReason::InRewrittenLoop:
    return "ordered in the loop around it";
  case LeaveReason::AlreadyOptimal:
    return "already optimal as given";
  case LeaveReason::BelowThreshold:
    return "gain below the threshold";
  case LeaveReason::OverlapLost:
    return "computation between the sends";
  case LeaveReason::Synchronized:
    return "buffers are planned for the order as written";
  case LeaveReason::NeverSeen:
    return "beyond the calls looked at";
  }
  return "";
}

ProfilePlan planProfile(const Profile &profile, const std::string &name,
                        const PlannerOptions &options) {
  return ProfilePlanner(profile, options).run(name);
}

void addToPlan(Plan &plan, const Profile &profile, const std::string &name,
               RankCountPlan rankCount) {
  for (const ProfiledUnit &unit : profile.units)
    if (!unit.functions.empty()) {
      decodeFunctionFacts(unit.functions, name + " (" + unit.file + ")", plan.functions);
      plan.functionFiles.insert(std::filesystem::path(unit.file).filename().string());
    }
  plan.rankCounts[static_cast<int>(profile.ranks.size())] = std::move(rankCount);
}

} // namespace sendwright
