// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which facts about other units a verdict rests on.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

Plan planWith(std::map<std::string, FunctionFacts> functions) {
  Plan plan;
  plan.functions = std::move(functions);
  return plan;
}

const char *const loop = "void put(const double *, int); void note(int);\n"
                         "static void inner(const double *b, int to) { put(b, to); }\n"
                         "void exchange(int n, const int *to, double *b) {\n"
                         "  for (int i = 0; i < n; i++) { inner(b, to[i]); note(i); } }";

TEST(LegalityReliance, NamesWhatIsCalledAndWhatLiesBeneath) {
  const Plan plan = planWith({{"put", {false, false, true, "", {"low"}}},
                              {"low", {false, false, true, "", {}}},
                              {"note", {false, false, false, "", {}}},
                              {"other", {false, false, false, "", {}}}});
  const LoopVerdict verdict = judge(loop, Language::C, &plan);
  ASSERT_FALSE(verdict.refusal);
  ASSERT_TRUE(verdict.stableBuffers);
  ASSERT_EQ(verdict.reliance.called.size(), 2u);
  EXPECT_FALSE(verdict.reliance.called.at("put").writesMemory);
  EXPECT_TRUE(verdict.reliance.called.at("put").reachesMpi);
  EXPECT_FALSE(verdict.reliance.called.at("note").reachesMpi);
  EXPECT_EQ(verdict.reliance.beneath, std::set<std::string>{"low"});
}

TEST(LegalityReliance, CopiedBuffersNeedLess) {
  const Plan plan =
      planWith({{"put", {false, false, true, "", {}}}, {"note", {false, true, false, "", {}}}});
  const LoopVerdict verdict = judge(loop, Language::C, &plan);
  ASSERT_FALSE(verdict.refusal || verdict.stableBuffers);
  EXPECT_TRUE(verdict.reliance.called.at("put").writesMemory);
  EXPECT_TRUE(verdict.reliance.called.at("note").reachesMpi);
}

TEST(LegalityReliance, NoneWithinTheUnit) {
  const LoopVerdict verdict =
      judge("void exchange(int n, const int *to, double *b, MPI_Comm c) {\n"
            "  for (int i = 0; i < n; i++) MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c); }",
            Language::C);
  EXPECT_TRUE(verdict.reliance.called.empty());
}

TEST(LegalityReliance, FactsAreSaidOfWhatThePlanTrusts) {
  const Plan plan = planWith(
      {{"put", {false, false, true, "", {}}}, {"waits", {true, false, false, "sleeps", {}}}});
  const auto facts = functionFacts("static double one; void put(const double *b, int to) {\n"
                                   "  one = *b; MPI_Send(&one, 1, MPI_DOUBLE, to, 0, 0); }\n"
                                   "void waits(void) {} void unnamed(void) {}",
                                   Language::C, &plan);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(facts.at("put").writesMemory);
}

TEST(LegalityReliance, AWeakDefinitionMayBeTheOneThatRuns) {
  const Plan plan = planWith({{"put", {false, false, true, "", {}}}});
  const char *const weak =
      "int x; __attribute__((weak)) void put(const double *b, int to) { x = to; }";
  EXPECT_TRUE(functionFacts(weak, Language::C).empty());
  EXPECT_TRUE(functionFacts(weak, Language::C, &plan).at("put").writesMemory);
}

} // namespace
