// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions and files that are left in a plan are those that its send loops reach.

#include "analysis/planner/NeededFunctions.h"
#include "analysis/planner/Planner.h"

#include "analysis/collectives/PlannedCollectives.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

const SiteIdentity sending = {"app.cpp", "exchange", 3, 0, 30, ""};
const SiteIdentity receiving = {"app.cpp", "exchange", 9, 0, 90, ""};

FunctionFacts calling(std::vector<std::string> callees) {
  FunctionFacts facts;
  facts.callees = std::move(callees);
  return facts;
}

/// exchange() calls pack() in its sending loop, and print() in its receiving loop; pack() calls
/// copy().
ProgramSummary programThatPacks() {
  ProgramSummary program;
  program.functions = {{"pack", calling({"copy"})}, {"copy", {}}, {"print", {}}, {"solve", {}}};
  program.loops = {{sending, "", {"pack"}}, {receiving, "", {"print"}}};
  program.files = {"app.cpp", "pack.cpp", "copy.cpp", "solver.cpp"};
  program.symbols = {
      {"pack.cpp", {"pack"}}, {"copy.cpp", {"copy"}}, {"solver.cpp", {"solve", "print"}}};
  return program;
}

using Names = std::set<std::string>;

struct Kept {
  Names functions, files;
};

/// What is left in a plan in which these loops are rewritten.
Kept keptFor(ProgramSummary program, const std::vector<SiteIdentity> &rewritten,
             RankCountPlan rankCount = {}) {
  for (const SiteIdentity &loop : {sending, receiving}) {
    SitePlan &site = rankCount.sites.emplace_back();
    site.site = loop;
    for (const SiteIdentity &one : rewritten)
      if (one.sameLoopAs(loop))
        site.decision = Decision::Rewrite;
  }
  Plan plan;
  NeededFunctions needed;
  needed.add(program);
  addToPlan(plan, 4, std::move(rankCount), std::move(program));
  needed.keepIn(plan);
  Kept kept{{}, plan.functionFiles};
  for (const auto &[symbol, facts] : plan.functions)
    kept.functions.insert(symbol);
  return kept;
}

const Names allFunctions = {"pack", "copy", "print", "solve"};

} // namespace

TEST(NeededFunctions, AreThoseThatALoopReaches) {
  const Kept kept = keptFor(programThatPacks(), {sending});
  EXPECT_EQ(kept.functions, (Names{"pack", "copy"}));
  EXPECT_EQ(kept.files, (Names{"pack.cpp", "copy.cpp"}));
}

TEST(NeededFunctions, AreNoneForAPlanWithoutSendLoops) {
  EXPECT_EQ(keptFor(programThatPacks(), {}).functions, Names());
}

TEST(NeededFunctions, AreThoseOfSendLoopsThatAreLeftToo) {
  RankCountPlan rankCount;
  rankCount.sites.emplace_back().site = receiving;
  rankCount.sites[0].sends = 8;
  EXPECT_EQ(keptFor(programThatPacks(), {sending}, rankCount).functions,
            (Names{"pack", "copy", "print"}));
  ProgramSummary program = programThatPacks();
  program.loops[1].refusal = "calls usleep";
  EXPECT_EQ(keptFor(program, {sending}, rankCount).functions, (Names{"pack", "copy"}));
}

TEST(NeededFunctions, AreThoseOfAllDefinitionsOfOneName) {
  ProgramSummary program = programThatPacks();
  program.symbols["other.cpp"] = {"copy"};
  program.files.insert("other.cpp");
  EXPECT_TRUE(keptFor(program, {sending}).files.contains("other.cpp"));
}

TEST(NeededFunctions, AreAllIfALoopCallsThroughAPointer) {
  ProgramSummary program = programThatPacks();
  program.loops[0].namesCallees = false;
  EXPECT_EQ(keptFor(program, {sending}).functions, allFunctions);
  EXPECT_EQ(keptFor(program, {receiving}).functions, (Names{"print"}));
}

TEST(NeededFunctions, AreAllIfNoUnitDescribesALoop) {
  ProgramSummary program = programThatPacks();
  program.loops.clear();
  EXPECT_EQ(keptFor(program, {sending}).functions, allFunctions);
}

TEST(NeededFunctions, AreAllIfALoopIsRewrittenThatItsUnitRefuses) {
  ProgramSummary program = programThatPacks();
  program.loops[0] = {sending, "has a receive", {}};
  EXPECT_EQ(keptFor(program, {sending}).functions, allFunctions);
}

TEST(NeededFunctions, AreAllIfATransformationJudgesOtherCode) {
  RankCountPlan rankCount;
  rankCount.of<PlannedCollectives>().collectives.emplace_back();
  EXPECT_EQ(keptFor(programThatPacks(), {sending}, rankCount).functions, allFunctions);
}
