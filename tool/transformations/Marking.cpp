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
    const EmittedSite emitted{site.identity, false, {}, site.inTemplate};
    addScope(rewrite, site, emitted, markCall(emitted), {});
  }
}

} // namespace sendwright
