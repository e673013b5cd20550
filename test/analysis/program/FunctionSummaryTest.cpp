// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about functions: joined over units, resolved over the program.

#include "analysis/program/FunctionSummary.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

FunctionFacts harmless(std::vector<std::string> callees = {}) {
  return {false, false, false, "", std::move(callees)};
}

} // namespace

TEST(FunctionSummary, OfTwoUnitsTheWorseHolds) {
  std::map<std::string, FunctionFacts> functions;
  addFunctionFacts(functions, "f", harmless({"a"}));
  addFunctionFacts(functions, "f", {true, true, true, "sleeps", {"b", "a"}});
  const FunctionFacts &facts = functions.at("f");
  EXPECT_TRUE(facts.mayWait && facts.writesMemory && facts.reachesMpi);
  EXPECT_EQ(facts.reason, "sleeps");
  EXPECT_EQ(facts.callees, (std::vector<std::string>{"a", "b"}));
}

TEST(FunctionSummary, VerdictCoversAllThatIsReached) {
  std::map<std::string, FunctionFacts> functions;
  functions["outer"] = harmless({"middle"});
  functions["middle"] = harmless({"outer", "inner"});
  functions["inner"] = {true, false, false, "reads from a pipe", {}};
  const FunctionFacts verdict = resolveFunction("outer", functions, nullptr);
  EXPECT_TRUE(verdict.mayWait);
  EXPECT_EQ(verdict.reason, "reads from a pipe");
  EXPECT_FALSE(verdict.writesMemory);
}

TEST(FunctionSummary, UnknownFunctionMayDoAnything) {
  std::map<std::string, FunctionFacts> functions{{"f", harmless({"printf", "mystery"})}};
  const FunctionFacts known = harmless();
  auto library = [&](const std::string &symbol) { return symbol == "printf" ? &known : nullptr; };
  const FunctionFacts verdict = resolveFunction("f", functions, library);
  EXPECT_TRUE(verdict.mayWait && verdict.writesMemory && verdict.reachesMpi);
  EXPECT_EQ(verdict.reason, "calls mystery, which was not compiled with the plugin");
  functions["mystery"] = harmless();
  EXPECT_FALSE(resolveFunction("f", functions, library).mayWait);
}
