// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: loops of sends and receives that amount to a collective operation
// (CollectivePatterns.h). A call in front of each of their parts carries out the operation by the
// plan's schedule; the parts stay, for runs that the plan does not cover.

#include "tool/rewrite/UnitTransformation.h"
#include "tool/transformations/collectives/CollectivePatterns.h"

#include "analysis/collectives/PlannedCollectives.h"
#include "tool/rewrite/PlannedLoop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sendwright {

namespace {

constexpr std::string_view collectivesStem = "collectives";

/// "broadcast by binomial tree, predicted gain 12.3 us (22.6 %) per execution".
std::string describeReplacement(const PlannedLoop &planned, Collective operation) {
  const SitePlan &site = planned.site();
  std::string text(nameOf(operation));
  if (const auto &predicted = site.of<SiteCollective>().prediction)
    text += " by " + predicted->algorithm;
  return text + ", " + gainOf(site);
}

std::vector<PlannedLoop> replacedIn(const Plan &plan, const SiteIdentity &loop) {
  std::vector<PlannedLoop> planned = findInPlan(plan, loop);
  std::erase_if(planned, [](const PlannedLoop &one) { return !one.rewrittenBy(collectivesStem); });
  return planned;
}

/// The comment above one part of a pattern; above the first part it has all details.
std::vector<std::string> commentOn(const GuardedStatements &piece, bool isFirst,
                                   const CollectivePattern &pattern,
                                   const std::vector<PlannedLoop> &planned, const Plan &plan) {
  const std::string operation(nameOf(pattern.inSource.operation));
  if (!piece.carriesOut)
    return {"collectives: left out where the " + operation + " is done by its schedule"};
  if (!isFirst)
    return {"collectives: what the other ranks do in the " + operation};
  std::vector<std::string> lines;
  for (const PlannedLoop &one : planned) {
    lines.push_back(std::string(collectivesStem) + ranksNote(one, plan) + ": " +
                    describeReplacement(one, pattern.inSource.operation));
    if (!one.site().reason.empty())
      lines.push_back(one.site().reason);
  }
  return lines;
}

void noteOutcome(Rewrite &rewrite, const CollectivePattern &pattern,
                 const std::vector<PlannedLoop> &planned,
                 const std::optional<std::string> &refusal) {
  LoopOutcome outcome;
  outcome.site = pattern.inSource.loop;
  outcome.column = rewrite.context.getSourceManager().getPresumedLoc(pattern.location).getColumn();
  for (const PlannedLoop &one : planned) {
    outcome.sends += one.site().sends;
    outcome.bytes += one.site().bytes;
  }
  outcome.transformation = refusal ? "" : collectivesStem;
  outcome.reason = refusal.value_or("");
  rewrite.outcomes.push_back(std::move(outcome));
}

/// Why a pattern that the plan wants replaced cannot be; nothing where it can.
std::optional<std::string> refusalFor(Rewrite &rewrite, const CollectivePattern &pattern) {
  if (!pattern.inSource.problem.empty())
    return pattern.inSource.problem;
  for (const GuardedStatements &piece : pattern.guarded)
    if (std::string obstacle = pragmaObstacle(rewrite, piece.file, piece.begin); !obstacle.empty())
      return obstacle;
  return {};
}

void writeGuards(Rewrite &rewrite, const CollectivePattern &pattern,
                 const std::vector<PlannedLoop> &planned, const Plan &plan) {
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  EmittedSite site;
  site.identity = pattern.inSource.loop;
  const std::string symbol = site.symbol();
  if (llvm::none_of(rewrite.emitted,
                    [&](const EmittedSite &known) { return known.symbol() == symbol; }))
    rewrite.emitted.push_back(site);
  bool isFirst = true;
  for (const GuardedStatements &piece : pattern.guarded) {
    rewrite.edits.add(
        sources, piece.file,
        guardAround(sources.getBufferData(piece.file), {piece.begin, piece.end},
                    piece.word + "(" + symbol + ", " + llvm::join(piece.arguments, ", ") + ")",
                    piece.otherwise, commentOn(piece, isFirst, pattern, planned, plan)));
    isFirst = false;
  }
  const bool receives = pattern.inSource.operation == Collective::Gather ||
                        pattern.inSource.operation == Collective::Reduce;
  for (const PlannedLoop &one : planned)
    rewrite.remarks.applied(pattern.location,
                            std::string(receives ? "receive" : "send") +
                                " loop replaced by 'collectives'" + ranksNote(one, plan) + ": " +
                                describeReplacement(one, pattern.inSource.operation));
}

/// What in the profile speaks against a loop that the source would allow; nothing where nothing
/// does.
std::optional<std::string> missingInProfile(const Plan &plan, const SiteIdentity &loop) {
  for (const PlannedLoop &one : findInPlan(plan, loop))
    if (const std::optional<RefusalText> &refusal = one.site().of<SiteCollective>().refusal)
      return refusal->sentence();
  return {};
}

/// Explains loops that the plan wants replaced, but whose accompanying calls have changed.
void explainLostCalls(Rewrite &rewrite, const std::vector<CollectivePattern> &patterns,
                      const Plan &plan) {
  for (const LoopSite &site : rewrite.sites.loops)
    if (!replacedIn(plan, site.identity).empty() &&
        llvm::none_of(patterns,
                      [&](const CollectivePattern &pattern) { return pattern.site == &site; }))
      rewrite.remarks.notReplaced(
          site.location,
          "a collective operation in the profile, and the calls that go with it have changed",
          true);
}

/// Whether the plan replaces a loop, and so wants the unit's calls to be found.
bool holdsCollectives(const Plan &plan) {
  return llvm::any_of(plan.rankCounts, [](const std::pair<const int, RankCountPlan> &rankCount) {
    return !rankCount.second.of<PlannedCollectives>().collectives.empty();
  });
}

/// Writes the calls in front of the patterns that the plan wants replaced, with a remark at the
/// loop: the operation, its schedule and what it gains, or why it stays. Near misses get a remark
/// at level All. Returns whether any call was written.
bool replaceCollectives(Rewrite &rewrite, const std::vector<CollectivePattern> &patterns,
                        const Plan &plan) {
  bool written = false;
  for (const CollectivePattern &pattern : patterns) {
    const std::vector<PlannedLoop> planned =
        pattern.site ? replacedIn(plan, pattern.inSource.loop) : std::vector<PlannedLoop>();
    std::optional<std::string> refusal = refusalFor(rewrite, pattern);
    if (!planned.empty())
      noteOutcome(rewrite, pattern, planned, refusal);
    if (!planned.empty() && !refusal) {
      writeGuards(rewrite, pattern, planned, plan);
      written = true;
      continue;
    }
    if (!refusal && pattern.site)
      refusal = missingInProfile(plan, pattern.inSource.loop);
    if (refusal)
      rewrite.remarks.notReplaced(pattern.location,
                                  withArticle(pattern.inSource.operation) + ", but " + *refusal,
                                  !planned.empty());
  }
  explainLostCalls(rewrite, patterns, plan);
  return written;
}

/// Whether other ranks answer the root's loop by this call.
bool isAnswer(const CollectivePattern &pattern, bool sends) {
  const Collective operation = pattern.inSource.operation;
  return sends == (operation == Collective::Gather || operation == Collective::Reduce);
}

class UnitCollectives final : public UnitTransformation {
public:
  bool needsCalls(const UnitRequest &request) const override {
    return request.generate || request.explainsAll ||
           (request.plan && holdsCollectives(*request.plan));
  }

  void study(Rewrite &rewrite, const UnitRequest &request) override {
    if (needsCalls(request))
      patterns =
          findCollectives(rewrite.context, rewrite.sites, rewrite.legality, request.reassociate);
    for (const CollectivePattern &pattern : patterns)
      for (const bool sends : {true, false})
        for (const SiteIdentity &call : sends ? pattern.inSource.sends : pattern.inSource.receives)
          rewrite.wantedMarks.push_back({call, isAnswer(pattern, sends)
                                                   ? pattern.boundsOfOthers
                                                   : std::vector<std::string>()});
    if (request.plan)
      for (const auto &[ranks, rankCount] : request.plan->rankCounts)
        for (const SitePlan &site : rankCount.sites)
          if (onlyReceives(site))
            rewrite.explainedElsewhere.push_back(site.site);
  }

  void rewrite(Rewrite &rewrite, const Plan &plan, Unit &unit) override {
    unit.collectives = replaceCollectives(rewrite, patterns, plan);
  }

  void summarize(UnitSummary &summary) const override {
    for (const CollectivePattern &pattern : patterns)
      if (pattern.site)
        summary.collectives.push_back(pattern.inSource);
  }

private:
  /// Loops that only receive are in a plan because they look like a collective operation.
  static bool onlyReceives(const SitePlan &site) {
    const SiteCollective &collective = site.of<SiteCollective>();
    return site.sends == 0 && (collective.prediction || collective.refusal);
  }

  std::vector<CollectivePattern> patterns;
};

} // namespace

std::unique_ptr<UnitTransformation> makeUnitCollectives() {
  return std::make_unique<UnitCollectives>();
}

} // namespace sendwright
