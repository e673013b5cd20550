// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/marking/Marking.h"

#include "tool/sites/IndirectCallees.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

namespace {

/// What the planner is told about a loop: why a build with a plan would leave it, as far as the
/// unit shows.
LoopInSource sourceOf(const Rewrite &rewrite, const LoopSite &site, const LoopVerdict &verdict) {
  LoopInSource loop{site.identity, "", {}};
  if (verdict.refusal)
    loop.refusal = verdict.refusal->reason;
  else
    loop.refusal = indirectCallees(site, verdict.indirect, rewrite.context).obstacle;
  if (loop.refusal.empty())
    for (const auto &[symbol, allowed] : verdict.reliance.called)
      loop.calls.push_back(symbol);
  return loop;
}

} // namespace

void markLoops(Rewrite &rewrite) {
  for (const LoopSite &site : rewrite.sites.loops) {
    const LoopVerdict verdict = judgeInstances(rewrite.legality, site);
    if (!verdict.mayReachMpi)
      continue;
    if (const std::string obstacle = editObstacle(rewrite, site); !obstacle.empty()) {
      if (verdict.sends)
        rewrite.remarks.left(site.location, obstacle);
      continue;
    }
    rewrite.loops.push_back(sourceOf(rewrite, site, verdict));
    const bool deferrable = !verdict.refusal && verdict.indirect.empty();
    const EmittedSite emitted{site.identity,   false,
                              deferrable,      deferrable ? verdict.reliance : SiteReliance(),
                              site.inTemplate, nullptr};
    addScope(rewrite, site, emitted, markCall(emitted), {});
  }
}

namespace {

bool argumentsMayCallMpi(Rewrite &rewrite, const CallSite &site) {
  for (const clang::CallExpr *call : site.instances)
    for (const clang::Expr *argument : call->arguments())
      if (rewrite.legality.mayReachMpi(*argument))
        return true;
  return false;
}

/// Whether the call belongs to what looks like a collective operation.
bool isPiece(const CallSite &site, const std::vector<CollectivePattern> &patterns) {
  const auto isIt = [&](const SiteIdentity &other) { return site.identity.sameLoopAs(other); };
  return llvm::any_of(patterns, [&](const CollectivePattern &pattern) {
    return llvm::any_of(pattern.inSource.sends, isIt) ||
           llvm::any_of(pattern.inSource.receives, isIt);
  });
}

/// The loop's bounds, for the call by which other ranks answer a root's loop; null for other calls.
const std::vector<std::string> *boundsAt(const CallSite &site,
                                         const std::vector<CollectivePattern> &patterns) {
  for (const CollectivePattern &pattern : patterns) {
    const Collective operation = pattern.inSource.operation;
    const bool sent = operation == Collective::Gather || operation == Collective::Reduce;
    const auto &answers = sent ? pattern.inSource.sends : pattern.inSource.receives;
    if (!pattern.boundsOfOthers.empty() && llvm::any_of(answers, [&](const SiteIdentity &answer) {
          return site.identity.sameLoopAs(answer);
        }))
      return &pattern.boundsOfOthers;
  }
  return nullptr;
}

} // namespace

void markCalls(Rewrite &rewrite, const std::vector<CollectivePattern> &patterns) {
  for (const CallSite &site : rewrite.sites.calls) {
    if (site.inMacro && !isPiece(site, patterns))
      continue;
    if (site.instances.empty() || !site.obstacle.empty() || argumentsMayCallMpi(rewrite, site))
      continue;
    const EmittedSite emitted{site.identity, false, false, {}, site.inTemplate, site.function};
    const std::vector<std::string> *bounds = boundsAt(site, patterns);
    addBefore(rewrite, site, emitted, bounds ? markBefore(emitted, *bounds) : markBefore(emitted),
              {});
  }
}

} // namespace sendwright
