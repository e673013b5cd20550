// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits that take long move behind computation that needs nothing of what they complete
// (WaitMotion.h). Where they cannot, a remark names the statement that is in the way.

#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/LongWaits.h"
#include "analysis/file/FigureText.h"
#include "tool/rewrite/PlannedLoop.h"
#include "tool/rewrite/UnitTransformation.h"
#include "tool/transformations/completion/WaitMotion.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace sendwright {

namespace {

/// The entry of a call that takes most of a run, for whichever number of ranks; null if there is
/// none.
const LongWait *longestAt(const Plan &plan, const CallSite &site) {
  const LongWait *longest = nullptr;
  for (const auto &[ranks, rankCount] : plan.rankCounts)
    for (const LongWait &wait : rankCount.of<LongWaits>().waits)
      if (wait.site.sameLoopAs(site.identity) && (!longest || wait.percent > longest->percent))
        longest = &wait;
  return longest;
}

/// Whether the sends of a loop around the call are held back: they would leave after what the call
/// moves behind.
bool isInHeldLoop(const Rewrite &rewrite, const Plan &plan, const CallSite &site) {
  return llvm::any_of(rewrite.sites.loops, [&](const LoopSite &loop) {
    return loop.file == site.file && loop.begin <= site.begin && site.end <= loop.end &&
           llvm::any_of(findInPlan(plan, loop.identity), [](const PlannedLoop &planned) {
             return planned.rewrites() && !planned.rewrittenBy(earlyCompletionStem);
           });
  });
}

/// The wait's text at its new place, and what remains at the old one.
std::vector<Edit> movedText(llvm::StringRef text, const WaitMotion &motion,
                            const std::string &function) {
  const std::string statement = text.slice(motion.begin, motion.end).str();
  std::string onOneLine = statement;
  std::replace(onOneLine.begin(), onOneLine.end(), '\n', ' ');
  const auto lines = static_cast<std::size_t>(std::count(statement.begin(), statement.end(), '\n'));
  const std::size_t line = text.rfind('\n', motion.begin) + 1; // npos + 1 is 0
  const std::string indentation = text.slice(line, text.find_first_not_of(" \t", line)).str();
  return {{{motion.begin, motion.end},
           {motion.begin, motion.end},
           EditLayer::Call,
           ";" + std::string(lines, '\n'),
           "/* early-completion: " + function + " moved below */"},
          {{motion.behind, motion.behind},
           {motion.behind, motion.behind},
           EditLayer::Call,
           " " + onOneLine,
           "\n" + indentation + statement}};
}

std::string obstacleOf(Rewrite &rewrite, const Plan &plan, const CallSite &site) {
  if (!site.obstacle.empty())
    return site.obstacle;
  if (site.inTemplate || site.inMacro || !site.statement || site.instances.size() != 1)
    return "it is not a statement of its own";
  if (isInHeldLoop(rewrite, plan, site))
    return "the sends of the loop around it are held back";
  return pragmaObstacle(rewrite, site.file, site.begin, "it");
}

void moveWait(Rewrite &rewrite, const Plan &plan, const CallSite &site, const LongWait &wait) {
  const std::string function(site.function->name);
  const std::string takes = function + " takes " + percentText(wait.percent) + " of the run";
  const auto stays = [&](const std::string &obstacle) {
    rewrite.remarks.left(site.location, takes + ", and is", obstacle);
  };
  if (const std::string obstacle = obstacleOf(rewrite, plan, site); !obstacle.empty())
    return stays(obstacle);
  const WaitMotion motion = findMotion(*site.instances.front(), rewrite.context);
  const clang::SourceManager &sources = rewrite.context.getSourceManager();
  const llvm::StringRef text = sources.getBufferData(site.file);
  if (motion.statements == 0)
    return stays(motion.obstacle.empty() ? "no statement follows it in its block"
                                         : motion.obstacle);
  if (text.slice(motion.begin, motion.end).contains("//"))
    return stays("a comment is in it");
  if (!rewrite.edits.add(sources, site.file, movedText(text, motion, function)))
    return;
  rewrite.remarks.applied(
      site.location,
      takes + ": moved by 'early-completion' behind " +
          (motion.statements == 1 ? "a statement"
                                  : std::to_string(motion.statements) + " statements") +
          " that it does not concern" + (motion.obstacle.empty() ? "" : "; " + motion.obstacle));
}

class UnitEarlyCompletion final : public UnitTransformation {
public:
  bool needsCalls(const UnitRequest &request) const override {
    return request.plan && llvm::any_of(request.plan->rankCounts, [](const auto &rankCount) {
             return !rankCount.second.template of<LongWaits>().waits.empty();
           });
  }

  void rewrite(Rewrite &rewrite, const Plan &plan, Unit & /*unit*/) override {
    for (const CallSite &site : rewrite.sites.calls)
      if (site.function->id == MpiFunctionId::Wait || site.function->id == MpiFunctionId::Waitall)
        if (const LongWait *wait = longestAt(plan, site))
          moveWait(rewrite, plan, site, *wait);
  }
};

} // namespace

std::unique_ptr<UnitTransformation> makeUnitEarlyCompletion();
std::unique_ptr<UnitTransformation> makeUnitEarlyCompletion() {
  return std::make_unique<UnitEarlyCompletion>();
}

} // namespace sendwright
