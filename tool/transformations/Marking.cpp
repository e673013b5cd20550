// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/Marking.h"

namespace sendwright {

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

} // namespace

void markCalls(Rewrite &rewrite) {
  for (const CallSite &site : rewrite.sites.calls) {
    if (site.instances.empty() || !site.obstacle.empty() || argumentsMayCallMpi(rewrite, site))
      continue;
    const EmittedSite emitted{site.identity, false, false, {}, site.inTemplate, site.function};
    addBefore(rewrite, site, emitted, markBefore(emitted), {});
  }
}

} // namespace sendwright
