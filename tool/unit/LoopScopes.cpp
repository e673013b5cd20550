// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site may stand in the plans for several numbers of ranks, and in each of them once for every
// instantiation of its template. It gets a scope if one of them wants it rewritten. At run time,
// the plan for the number of ranks and the instantiation decides whether anything happens there.

#include "tool/unit/LoopScopes.h"

#include "analysis/chains/ExchangeChains.h"
#include "tool/sites/IndirectCallees.h"
#include "tool/sites/OwnSends.h"
#include "tool/unit/Transformations.h"

#include <algorithm>
#include <map>

namespace sendwright {

namespace {

std::string inBrackets(const std::string &instantiation) {
  std::string text = "[";
  return text.append(instantiation).append("]");
}

std::string instanceNote(const PlannedLoop &planned) {
  const std::string &instantiation = planned.site().site.instantiation;
  return instantiation.empty() ? "" : " for " + inBrackets(instantiation);
}

/// Null if the plan wants the site as written, or rewritten by a transformation without a scope.
const LoopTransformation *transformationOf(const SitePlan &site) {
  return site.decision == Decision::Rewrite ? loopTransformation(site.transformation) : nullptr;
}

/// The text for one instantiation: its figures, or why it is left; and what was not done.
std::string describe(const SitePlan &site) {
  const LoopTransformation *taken = transformationOf(site);
  std::string text = taken ? taken->describe(site) : site.reason;
  for (const LoopTransformation *other : loopTransformations())
    if (other != taken && other->explainMissed)
      text += other->explainMissed(site);
  return text;
}

/// Instantiations with the same text. A loop outside of templates is the only one.
struct SameOutcome {
  const LoopTransformation *transformation; // null: left as written
  std::string text;                         // the figures, or why it is left
  std::string names;
};

std::vector<SameOutcome> outcomesOn(int ranks, const std::vector<PlannedLoop> &planned) {
  std::vector<SameOutcome> outcomes;
  for (const PlannedLoop &one : planned) {
    if (one.ranks != ranks)
      continue;
    const LoopTransformation *transformation = transformationOf(one.site());
    const std::string text = describe(one.site());
    auto same = std::find_if(outcomes.begin(), outcomes.end(), [&](const SameOutcome &known) {
      return known.transformation == transformation && known.text == text;
    });
    if (same == outcomes.end())
      same = outcomes.insert(same, {transformation, text, ""});
    same->names += same->names.empty() ? "" : ", ";
    same->names += inBrackets(one.site().site.instantiation);
  }
  return outcomes;
}

/// The remark on a loop of which some instantiations are rewritten; if several transformations
/// rewrite them, it begins with the first.
std::string remarkOn(const std::vector<SameOutcome> &outcomes, const std::string &site,
                     const std::string &ranks) {
  const auto leading = std::find_if(outcomes.begin(), outcomes.end(),
                                    [](const SameOutcome &one) { return one.transformation; });
  const LoopTransformation &first = *leading->transformation;
  const std::string begin =
      site + " " + std::string(first.done) + " by '" + std::string(first.stem) + "'";
  if (outcomes.size() == 1)
    return begin + ranks + ": " + leading->text;
  std::string rewritten, left;
  for (const SameOutcome &one : outcomes)
    if (!one.transformation)
      left += (left.empty() ? "; left for " : "; for ") + one.names + ": " + one.text;
    else
      rewritten +=
          (rewritten.empty() ? " for " : ", for ") + one.names + " (" +
          (one.transformation == &first ? "" : std::string(one.transformation->done) + ": ") +
          one.text + ")";
  return begin + ranks + rewritten + left;
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

std::vector<std::string> commentFor(const std::vector<PlannedLoop> &planned, const Plan &plan) {
  constexpr std::size_t shownPlans = 8; // numbers of ranks and instantiations
  std::vector<std::string> lines;
  std::size_t shown = 0;
  for (const PlannedLoop &one : planned) {
    if (!one.rewrites())
      continue;
    if (shown++ == shownPlans) {
      lines.emplace_back("...");
      break;
    }
    const LoopTransformation &transformation = *transformationOf(one.site());
    lines.push_back(std::string(transformation.stem) + ranksNote(one, plan) + instanceNote(one) +
                    ": " + describe(one.site()));
    transformation.explain(one, lines);
  }
  return lines;
}

LoopOutcome leftAs(const Rewrite &rewrite, const LoopSite &site, const std::string &reason) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  return {site.identity, sources.getPresumedLoc(site.location).getColumn(), "", reason, 0, 0};
}

/// Keeps what becomes of each instantiation of this loop, for the table of all loops. `refusal`:
/// why the instantiations that the plan wants rewritten are left; "" if they are rewritten.
void note(Rewrite &rewrite, const LoopSite &site, const std::vector<PlannedLoop> &planned,
          const std::string &refusal) {
  std::map<std::string, LoopOutcome> outcomes; // keyed by instantiation
  for (const PlannedLoop &one : planned) {
    const std::string &instantiation = one.site().site.instantiation;
    LoopOutcome &outcome =
        outcomes.try_emplace(instantiation, leftAs(rewrite, site, one.site().reason)).first->second;
    outcome.site.instantiation = instantiation;
    outcome.sends += one.site().sends;
    outcome.bytes += one.site().bytes;
    if (one.rewrites()) {
      outcome.transformation = refusal.empty() ? one.site().transformation : "";
      outcome.reason = refusal;
    }
  }
  for (auto &[instantiation, outcome] : outcomes)
    rewrite.outcomes.push_back(std::move(outcome));
}

/// What was judged before rewriting a loop.
struct Judged {
  LoopVerdict verdict;
  IndirectCallees callees;
};

/// Whether a transformation that rewrites the loop holds its sends back.
bool holdsBack(const std::vector<PlannedLoop> &planned) {
  return std::any_of(planned.begin(), planned.end(), [](const PlannedLoop &one) {
    const LoopTransformation *transformation = transformationOf(one.site());
    return transformation && transformation->holdsBack;
  });
}

/// Why a loop that the plan wants rewritten cannot be; "" if it can.
std::string refusalOf(Rewrite &rewrite, const LoopSite &site,
                      const std::vector<PlannedLoop> &planned, Judged &judged) {
  if (std::string obstacle = editObstacle(rewrite, site); !obstacle.empty())
    return obstacle;
  if (!holdsBack(planned))
    return "";
  const LoopVerdict &verdict = judged.verdict = judgeInstances(rewrite.legality, site);
  if (verdict.refusal)
    return verdict.refusal->reason;
  if (!verdict.mayReachMpi) // so it was not judged
    return "the functions that it calls no longer reach MPI";
  judged.callees = indirectCallees(site, verdict.indirect, rewrite.context);
  return judged.callees.obstacle;
}

void rewriteLoop(Rewrite &rewrite, const LoopSite &site, const Plan &plan,
                 const std::vector<PlannedLoop> &planned) {
  Judged judged;
  if (site.instances.empty() && site.directive.empty() && editObstacle(rewrite, site).empty())
    return; // a template that this unit does not use
  if (const std::string refusal = refusalOf(rewrite, site, planned, judged); !refusal.empty()) {
    note(rewrite, site, planned, refusal);
    return rewrite.remarks.notApplied(site.location, site.name(), refusal);
  }

  note(rewrite, site, planned, "");
  const EmittedSite emitted{site.identity,   judged.verdict.stableBuffers,
                            false,           judged.verdict.reliance,
                            site.inTemplate, nullptr};
  addScope(rewrite, site, emitted, batchScope(emitted), commentFor(planned, plan));
  addChecks(rewrite, site, judged.callees);
  int said = 0; // the number of ranks mentioned last
  for (const PlannedLoop &one : planned)
    if (one.rewrites() && said != one.ranks) {
      said = one.ranks;
      rewrite.remarks.applied(site.location, remarkOn(outcomesOn(one.ranks, planned), site.name(),
                                                      ranksNote(one, plan)));
    }
}

/// Whether a transformation without a scope prints the remark at the loop.
bool isExplainedElsewhere(const Rewrite &rewrite, const PlannedLoop &planned) {
  return std::any_of(rewrite.explainedElsewhere.begin(), rewrite.explainedElsewhere.end(),
                     [&](const SiteIdentity &other) { return planned.site().site.sameAs(other); });
}

void explainLoop(Rewrite &rewrite, const LoopSite &site, const std::vector<PlannedLoop> &planned) {
  std::string reason;
  if (!planned.empty())
    reason = reasonsOf(outcomesOn(planned.front().ranks, planned));
  else if (std::none_of(site.instances.begin(), site.instances.end(),
                        [&](const InstantiatedLoop &instance) {
                          return sendsByItself(*instance.loop, rewrite.context);
                        }))
    return;
  else // A loop that could not be marked is in no profile, whatever it sends.
    reason = editObstacle(rewrite, site);
  if (reason.empty())
    reason = "it sends nothing in the profile";
  if (planned.empty())
    rewrite.outcomes.push_back(leftAs(rewrite, site, reason));
  else
    note(rewrite, site, planned, "");
  if (std::none_of(planned.begin(), planned.end(),
                   [&](const PlannedLoop &one) { return isExplainedElsewhere(rewrite, one); }))
    rewrite.remarks.left(site.location, site.name(), reason);
}

/// Whether a transformation without a scope rewrites the loop.
bool isReplaced(const PlannedLoop &planned) {
  return planned.rewrites() && !transformationOf(planned.site());
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
        rewrite.remarks.notApplied(*location, "send loop",
                                   "the loop of line " + std::to_string(planned.site.line) +
                                       " in '" + planned.site.function +
                                       "' changed since the profile; compiled as written");
        explained.push_back(&planned.site);
      }
    }
}

/// Why the plan does not want the exchanges of a chain to overlap; "" if it does not object.
std::string whyChainIsLeft(const Plan &plan, const LoopSite &site) {
  for (const PlannedLoop &one : findInPlan(plan, site.identity))
    if (const std::optional<RefusalText> &refusal = one.site().of<SiteChain>().refusal)
      return refusal->sentence();
  return "";
}

/// Lets the exchanges of a chain overlap that has no scope by the plan.
void overlapExchanges(Rewrite &rewrite, const Plan &plan, const LoopSite &site) {
  if (!site.chain || !editObstacle(rewrite, site).empty() ||
      std::any_of(rewrite.emitted.begin(), rewrite.emitted.end(), [&](const EmittedSite &emitted) {
        return emitted.identity.sameLoopAs(site.identity);
      }))
    return;
  if (const std::string reason = whyChainIsLeft(plan, site); !reason.empty())
    return rewrite.remarks.notApplied(site.location, site.name(), reason);
  addScope(rewrite, site, {site.identity, false, false, {}, false, nullptr}, {}, {});
  rewrite.remarks.applied(site.location, site.name() + " overlapped: each call of MPI_Sendrecv may "
                                                       "be under way with the next");
}

void rewritePlannedLoops(Rewrite &rewrite, const Plan &plan) {
  for (const LoopSite &site : rewrite.sites.loops) {
    std::vector<PlannedLoop> planned = findInPlan(plan, site.identity);
    if (std::erase_if(planned, isReplaced) > 0 && planned.empty())
      continue;
    if (std::any_of(planned.begin(), planned.end(),
                    [](const PlannedLoop &one) { return one.rewrites(); }))
      rewriteLoop(rewrite, site, plan, planned);
    else
      explainLoop(rewrite, site, planned);
  }
}

} // namespace

void rewriteSendLoops(Rewrite &rewrite, const Plan &plan) {
  rewritePlannedLoops(rewrite, plan);
  for (const LoopSite &site : rewrite.sites.loops)
    overlapExchanges(rewrite, plan, site);
  explainChanges(rewrite, plan);
}

} // namespace sendwright
