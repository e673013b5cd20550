// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site may stand in the plans of several rank counts, and in each of them once for every
// instantiation of the template that it is in. It is put into a batch if one of them wants it; at
// run time the plan of the communicator's size for the instantiation decides whether anything is
// reordered.

#include "tool/transformations/MessageOrdering.h"

#include "tool/legality/OwnSends.h"
#include "tool/sites/IndirectCallees.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace sendwright {

namespace {

constexpr char stem[] = "message-ordering";

/// What one rank count's plan says of a site, in a template of one instantiation of it.
struct Planned {
  int ranks = 0;
  const RankCountPlan *plan = nullptr;
  std::uint32_t index = 0; // of the site in the plan
  const SitePlan &site() const { return plan->sites[index]; }
  bool rewrites() const {
    return site().decision == Decision::Rewrite && site().transformation == stem;
  }
};

std::vector<Planned> findInPlan(const Plan &plan, const SiteIdentity &identity) {
  std::vector<Planned> found;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (std::uint32_t index = 0; index < rankCount.sites.size(); ++index)
      if (rankCount.sites[index].site.sameLoopAs(identity))
        found.push_back({ranks, &rankCount, index});
  return found;
}

std::string oneDecimal(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

/// With the unit that keeps the number small.
std::string duration(double seconds) {
  const double magnitude = std::abs(seconds);
  if (magnitude < 1e-3)
    return oneDecimal(seconds * 1e6) + " us";
  return magnitude < 1 ? oneDecimal(seconds * 1e3) + " ms" : oneDecimal(seconds) + " s";
}

std::string gainOf(const SitePlan &site) {
  return "predicted gain " + duration(site.gain) + " (" + oneDecimal(site.gainPercent) +
         " %) per execution";
}

/// "max c'_p 31 -> 24 sends (lower bound 24)", or the rounds where messages are large.
std::string figuresOf(const OrderingFigures &figures) {
  if (figures.key == "staggered")
    return "staggered rounds, " +
           (figures.window == 0
                ? "no limit on messages"
                : std::to_string(figures.window) + " message" + (figures.window == 1 ? "" : "s")) +
           " in flight";
  const auto sends = [&](double seconds) {
    return std::to_string(std::llround(figures.unit > 0 ? seconds / figures.unit : 0));
  };
  return "max c'_p " + sends(figures.given) + " -> " + sends(figures.planned) +
         " sends (lower bound " + sends(figures.lowerBound) + ")";
}

std::string ranksNote(const Planned &planned, const Plan &plan) {
  return plan.rankCounts.size() > 1 ? " on " + std::to_string(planned.ranks) + " ranks" : "";
}

std::string inBrackets(const std::string &instantiation) {
  std::string text = "[";
  return text.append(instantiation).append("]");
}

std::string instanceNote(const Planned &planned) {
  const std::string &instantiation = planned.site().site.instantiation;
  return instantiation.empty() ? "" : " for " + inBrackets(instantiation);
}

/// Instantiations of which the same is to be said. A loop outside of templates is the only one.
struct SameOutcome {
  bool rewritten = false;
  std::string text; // the figures, or why it is left
  std::string names;
};

std::vector<SameOutcome> outcomesOn(int ranks, const std::vector<Planned> &planned) {
  std::vector<SameOutcome> outcomes;
  for (const Planned &one : planned) {
    if (one.ranks != ranks)
      continue;
    const std::string text = one.rewrites() ? describeOrdering(one.site()) : one.site().reason;
    auto same = std::find_if(outcomes.begin(), outcomes.end(), [&](const SameOutcome &known) {
      return known.rewritten == one.rewrites() && known.text == text;
    });
    if (same == outcomes.end())
      same = outcomes.insert(same, {one.rewrites(), text, ""});
    same->names += same->names.empty() ? "" : ", ";
    same->names += inBrackets(one.site().site.instantiation);
  }
  return outcomes;
}

/// What follows the name of the transformation in a remark.
std::string describe(const std::vector<SameOutcome> &outcomes) {
  if (outcomes.size() == 1)
    return ": " + outcomes.front().text;
  std::string rewritten, left;
  for (const SameOutcome &one : outcomes)
    if (one.rewritten)
      rewritten += (rewritten.empty() ? " for " : ", for ") + one.names + " (" + one.text + ")";
    else
      left += (left.empty() ? "; left for " : "; for ") + one.names + ": " + one.text;
  return rewritten + left;
}

/// Why a loop is left of which no instantiation is to be rewritten.
std::string reasonsOf(const std::vector<SameOutcome> &outcomes) {
  if (outcomes.size() == 1)
    return outcomes.front().text;
  std::string reasons;
  for (const SameOutcome &one : outcomes)
    reasons += (reasons.empty() ? "for " : "; for ") + one.names + ": " + one.text;
  return reasons;
}

/// The order of each rank's most frequent pattern, as many as a reader wants to see.
void describeOrders(const Planned &planned, std::vector<std::string> &lines) {
  constexpr std::size_t shownRanks = 4, shownDestinations = 16;
  std::size_t shown = 0;
  for (std::size_t rank = 0; rank < planned.plan->ranks.size(); ++rank)
    for (const RankSite &site : planned.plan->ranks[rank]) {
      if (site.site != planned.index || site.orders.empty())
        continue;
      if (shown++ == shownRanks) {
        lines.push_back("...");
        return;
      }
      const std::vector<int> &order = site.orders.front().destinations;
      std::string line = "rank " + std::to_string(rank) + " sends to";
      for (std::size_t k = 0; k < std::min(order.size(), shownDestinations); ++k)
        line += " " + std::to_string(order[k]);
      lines.push_back(line + (order.size() > shownDestinations ? " ..." : ""));
    }
}

std::vector<std::string> commentFor(const std::vector<Planned> &planned, const Plan &plan) {
  constexpr std::size_t shownPlans = 8; // of rank counts and instantiations
  std::vector<std::string> lines;
  std::size_t shown = 0;
  for (const Planned &one : planned) {
    if (!one.rewrites())
      continue;
    if (shown++ == shownPlans) {
      lines.emplace_back("...");
      break;
    }
    lines.push_back(std::string(stem) + ranksNote(one, plan) + instanceNote(one) + ": " +
                    describeOrdering(one.site()));
    for (const OrderingFigures &figures : one.site().ordering) {
      if (!figures.phase.empty())
        lines.push_back(figures.phase + "; key: " + figures.key);
      if (!figures.reason.empty())
        lines.push_back(figures.reason);
    }
    if (!one.site().reason.empty())
      lines.push_back(one.site().reason);
    describeOrders(one, lines);
  }
  for (std::string &line : lines) // a comment must not end early
    for (std::size_t at; (at = line.find("*/")) != std::string::npos;)
      line.replace(at, 2, "* /");
  return lines;
}

LoopOutcome leftAs(const Rewrite &rewrite, const LoopSite &site, const std::string &reason) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  return {site.identity, sources.getPresumedLoc(site.location).getColumn(), "", reason, 0, 0};
}

/// Keeps for the table of all loops what becomes of each instantiation of this one. `refusal`: why
/// those are left which the plan wants rewritten; "" where they are not.
void note(Rewrite &rewrite, const LoopSite &site, const std::vector<Planned> &planned,
          const std::string &refusal) {
  std::map<std::string, LoopOutcome> outcomes; // by instantiation
  for (const Planned &one : planned) {
    const std::string &instantiation = one.site().site.instantiation;
    LoopOutcome &outcome =
        outcomes.try_emplace(instantiation, leftAs(rewrite, site, one.site().reason)).first->second;
    outcome.site.instantiation = instantiation;
    outcome.sends += one.site().sends;
    outcome.bytes += one.site().bytes;
    if (one.rewrites()) {
      outcome.transformation = refusal.empty() ? stem : "";
      outcome.reason = refusal;
    }
  }
  for (auto &[instantiation, outcome] : outcomes)
    rewrite.outcomes.push_back(std::move(outcome));
}

/// What rewriting a loop takes.
struct Judged {
  LoopVerdict verdict;
  IndirectCallees callees;
};

/// Why a loop that the plan wants rewritten is not: "" where it can be.
std::string refusalOf(Rewrite &rewrite, const LoopSite &site, Judged &judged) {
  if (std::string obstacle = editObstacle(rewrite, site); !obstacle.empty())
    return obstacle;
  const LoopVerdict &verdict = judged.verdict = judgeInstances(rewrite.legality, site);
  if (verdict.refusal)
    return verdict.refusal->reason;
  if (!verdict.mayReachMpi) // and so was not judged
    return "what it calls no longer reaches MPI";
  judged.callees = indirectCallees(site, verdict.indirect, rewrite.context);
  return judged.callees.obstacle;
}

void rewriteLoop(Rewrite &rewrite, const LoopSite &site, const Plan &plan,
                 const std::vector<Planned> &planned) {
  Judged judged;
  if (site.instances.empty() && editObstacle(rewrite, site).empty())
    return; // a template that this unit does not use
  if (const std::string refusal = refusalOf(rewrite, site, judged); !refusal.empty()) {
    note(rewrite, site, planned, refusal);
    return rewrite.remarks.notApplied(site.location, refusal);
  }

  note(rewrite, site, planned, "");
  const EmittedSite emitted{site.identity, judged.verdict.stableBuffers, judged.verdict.reliance,
                            site.inTemplate, nullptr};
  addScope(rewrite, site, emitted, batchCall(emitted), commentFor(planned, plan));
  addCallees(rewrite, site, judged.callees.texts);
  int said = 0; // the rank count that was spoken of last
  for (const Planned &one : planned)
    if (one.rewrites() && said != one.ranks) {
      said = one.ranks;
      rewrite.remarks.applied(site.location, "send loop reordered by '" + std::string(stem) + "'" +
                                                 ranksNote(one, plan) +
                                                 describe(outcomesOn(one.ranks, planned)));
    }
}

void explainLoop(Rewrite &rewrite, const LoopSite &site, const std::vector<Planned> &planned) {
  std::string reason;
  if (!planned.empty())
    reason = reasonsOf(outcomesOn(planned.front().ranks, planned));
  else if (std::none_of(site.instances.begin(), site.instances.end(),
                        [&](const LoopInstance &instance) {
                          return sendsByItself(*instance.loop, rewrite.context);
                        }))
    return;
  else // A loop that could not be marked is in no profile, whatever it sent.
    reason = editObstacle(rewrite, site);
  if (reason.empty())
    reason = "the profile does not show it sending";
  if (planned.empty())
    rewrite.outcomes.push_back(leftAs(rewrite, site, reason));
  else
    note(rewrite, site, planned, "");
  rewrite.remarks.left(site.location, reason);
}

/// Loops of the plan that the unit's text no longer has, though their function is still there.
void explainChanges(Rewrite &rewrite, const Plan &plan) {
  std::vector<const SiteIdentity *> explained;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (const SitePlan &planned : rankCount.sites) {
      const auto isIt = [&](const auto &other) { return planned.site.sameLoopAs(other.identity); };
      const auto wasExplained = [&](const SiteIdentity *other) {
        return planned.site.sameLoopAs(*other);
      };
      if (planned.decision != Decision::Rewrite ||
          std::any_of(rewrite.sites.loops.begin(), rewrite.sites.loops.end(), isIt) ||
          std::any_of(explained.begin(), explained.end(), wasExplained))
        continue;
      if (const auto location = definitionAround(rewrite, planned.site)) {
        rewrite.remarks.notApplied(*location,
                                   "the loop of line " + std::to_string(planned.site.line) +
                                       " in '" + planned.site.function +
                                       "' changed since the profile; compiled as written");
        explained.push_back(&planned.site);
      }
    }
}

} // namespace

std::string describeOrdering(const SitePlan &site) {
  const auto largest = std::max_element(
      site.ordering.begin(), site.ordering.end(),
      [](const auto &left, const auto &right) { return left.given < right.given; });
  return (largest == site.ordering.end() ? "" : figuresOf(*largest) + ", ") + gainOf(site);
}

void orderMessages(Rewrite &rewrite, const Plan &plan) {
  for (const LoopSite &site : rewrite.sites.loops) {
    const std::vector<Planned> planned = findInPlan(plan, site.identity);
    if (std::any_of(planned.begin(), planned.end(),
                    [](const Planned &one) { return one.rewrites(); }))
      rewriteLoop(rewrite, site, plan, planned);
    else
      explainLoop(rewrite, site, planned);
  }
  explainChanges(rewrite, plan);
}

} // namespace sendwright
