// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site may stand in the plans of several rank counts. It is put into a batch if one of them wants
// it; at run time the plan of the communicator's size decides whether anything is reordered.

#include "tool/transformations/MessageOrdering.h"

#include "tool/legality/OwnSends.h"
#include "tool/sites/IndirectCallees.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sendwright {

namespace {

constexpr char stem[] = "message-ordering";

/// What one rank count's plan says of a site.
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
      if (rankCount.sites[index].site.sameAs(identity))
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
  std::vector<std::string> lines;
  for (const Planned &one : planned) {
    if (!one.rewrites())
      continue;
    lines.push_back(std::string(stem) + ranksNote(one, plan) + ": " + describeOrdering(one.site()));
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

/// Keeps for the table of all loops what the remark at this one says.
void note(Rewrite &rewrite, const LoopSite &site, const std::vector<Planned> &planned,
          const std::string &transformation, const std::string &reason) {
  LoopOutcome outcome{site.identity, 0, transformation, reason, 0, 0};
  outcome.column = rewrite.context.getSourceManager().getPresumedLoc(site.location).getColumn();
  for (const Planned &one : planned) {
    outcome.sends += one.site().sends;
    outcome.bytes += one.site().bytes;
  }
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
    note(rewrite, site, planned, "", refusal);
    return rewrite.remarks.notApplied(site.location, refusal);
  }

  note(rewrite, site, planned, stem, "");
  const EmittedSite emitted{site.identity, judged.verdict.stableBuffers, judged.verdict.reliance};
  addScope(rewrite, site, emitted, batchCall(emitted), commentFor(planned, plan));
  addCallees(rewrite, site, judged.callees.texts);
  for (const Planned &one : planned)
    if (one.rewrites())
      rewrite.remarks.applied(site.location, "send loop reordered by '" + std::string(stem) + "'" +
                                                 ranksNote(one, plan) + ": " +
                                                 describeOrdering(one.site()));
}

void explainLoop(Rewrite &rewrite, const LoopSite &site, const std::vector<Planned> &planned) {
  std::string reason;
  if (!planned.empty())
    reason = planned.front().site().reason;
  else if (std::none_of(site.instances.begin(), site.instances.end(),
                        [&](const LoopInstance &instance) {
                          return sendsByItself(*instance.loop, rewrite.context);
                        }))
    return;
  else // A loop that could not be marked is in no profile, whatever it sent.
    reason = editObstacle(rewrite, site);
  if (reason.empty())
    reason = "the profile does not show it sending";
  note(rewrite, site, planned, "", reason);
  rewrite.remarks.left(site.location, reason);
}

/// Loops of the plan that the unit's text no longer has, though their function is still there.
void explainChanges(Rewrite &rewrite, const Plan &plan) {
  std::vector<const SiteIdentity *> explained;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (const SitePlan &planned : rankCount.sites) {
      const auto isIt = [&](const auto &other) { return planned.site.sameAs(other.identity); };
      const auto wasExplained = [&](const SiteIdentity *other) {
        return planned.site.sameAs(*other);
      };
      if (planned.decision != Decision::Rewrite ||
          std::any_of(rewrite.sites.loops.begin(), rewrite.sites.loops.end(), isIt) ||
          std::any_of(explained.begin(), explained.end(), wasExplained))
        continue;
      for (const auto &[name, location] : rewrite.sites.functions)
        if (name.second == planned.site.function &&
            llvm::sys::path::filename(name.first) == llvm::sys::path::filename(planned.site.file)) {
          rewrite.remarks.notApplied(location,
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
