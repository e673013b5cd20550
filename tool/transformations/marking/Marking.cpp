// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/marking/Marking.h"

#include "tool/sites/IndirectCallees.h"

#include "llvm/ADT/STLExtras.h"

namespace sendwright {

namespace {

/// What the planner is told about a loop: why a build with a plan would leave it, as far as the
/// unit shows.
LoopInSource sourceOf(const LoopSite &site, const LoopVerdict &verdict,
                      const IndirectCallees &callees) {
  LoopInSource loop{site.identity, "", {}, true, verdict.indirect.empty()};
  loop.refusal = verdict.refusal ? verdict.refusal->reason : callees.obstacle;
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
        rewrite.remarks.left(site.location, site.name(), obstacle);
      continue;
    }
    const IndirectCallees callees = indirectCallees(site, verdict.indirect, rewrite.context);
    rewrite.loops.push_back(sourceOf(site, verdict, callees));
    // What is called through pointers is shown to a run that learns, in loops that surely send:
    // each such call takes time.
    const bool deferrable =
        !verdict.refusal && callees.obstacle.empty() && (verdict.sends || verdict.indirect.empty());
    const EmittedSite emitted{
        site.identity,   false,   deferrable,    deferrable ? verdict.reliance : SiteReliance(),
        site.inTemplate, nullptr, site.isBlock()};
    addScope(rewrite, site, emitted, markScope(emitted), {});
    if (deferrable)
      addChecks(rewrite, site, callees);
  }
}

namespace {

bool argumentsMayCallMpi(Rewrite &rewrite, const clang::CallExpr &call) {
  return llvm::any_of(call.arguments(), [&](const clang::Expr *argument) {
    return rewrite.legality.mayReachMpi(*argument);
  });
}

bool argumentsMayCallMpi(Rewrite &rewrite, const CallSite &site) {
  return llvm::any_of(site.instances, [&](const clang::CallExpr *call) {
    return argumentsMayCallMpi(rewrite, *call);
  });
}

/// Whether a transformation wants the call marked.
bool isWanted(const CallSite &site, const std::vector<WantedMark> &wanted) {
  return llvm::any_of(wanted,
                      [&](const WantedMark &mark) { return site.identity.sameLoopAs(mark.call); });
}

/// The bounds of the loop that the call answers; null for other calls.
const std::vector<std::string> *boundsAt(const CallSite &site,
                                         const std::vector<WantedMark> &wanted) {
  for (const WantedMark &mark : wanted)
    if (!mark.bounds.empty() && site.identity.sameLoopAs(mark.call))
      return &mark.bounds;
  return nullptr;
}

} // namespace

void markCalls(Rewrite &rewrite) {
  for (const CallSite &site : rewrite.sites.calls) {
    if (site.inMacro && !isWanted(site, rewrite.wantedMarks))
      continue;
    if (site.instances.empty() || !site.obstacle.empty() || argumentsMayCallMpi(rewrite, site))
      continue;
    const EmittedSite emitted{site.identity, false, false, {}, site.inTemplate, site.function};
    const std::vector<std::string> *bounds = boundsAt(site, rewrite.wantedMarks);
    addBefore(rewrite, site, emitted, bounds ? markBefore(emitted, *bounds) : markBefore(emitted),
              {});
  }
}

void markCallsOfWrappers(Rewrite &rewrite) {
  for (const WrapperCallSite &site : rewrite.sites.wrapperCalls)
    if (site.obstacle.empty() && rewrite.legality.mayReachMpi(*site.call) &&
        !argumentsMayCallMpi(rewrite, *site.call))
      addBefore(rewrite, site, {site.identity, site.callee});
}

} // namespace sendwright
