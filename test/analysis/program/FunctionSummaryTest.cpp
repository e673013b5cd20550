// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about functions: to text and back, joined over units, resolved over the program.

#include "analysis/program/FunctionSummary.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

FunctionFacts harmless(std::vector<std::string> callees = {}) {
  return {false, false, false, "", std::move(callees)};
}

} // namespace

TEST(FunctionSummary, ComesBackAsItWas) {
  std::map<std::string, FunctionFacts> functions, read;
  functions["pack"] = harmless({"copy"});
  functions["\"odd\" name\xff"] = {true, true, true, "waits on a lock", {}};
  decodeFunctionFacts(encodeFunctionFacts(functions), "unit", read);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_FALSE(read.at("pack").mayWait);
  EXPECT_FALSE(read.at("pack").writesMemory);
  EXPECT_EQ(read.at("pack").callees, std::vector<std::string>{"copy"});
  EXPECT_TRUE(read.begin()->second.mayWait);
  EXPECT_EQ(read.begin()->second.reason, "waits on a lock");
}

TEST(FunctionSummary, OfTwoUnitsTheWorseHolds) {
  std::map<std::string, FunctionFacts> functions;
  decodeFunctionFacts(R"({"f": {"writes": false, "mpi": false, "calls": ["a"]}})", "u", functions);
  decodeFunctionFacts(R"({"f": {"waits": "sleeps", "writes": true, "mpi": true, "calls": ["b"]}})",
                      "u", functions);
  const FunctionFacts &facts = functions.at("f");
  EXPECT_TRUE(facts.mayWait && facts.writesMemory && facts.reachesMpi);
  EXPECT_EQ(facts.reason, "sleeps");
  EXPECT_EQ(facts.callees, (std::vector<std::string>{"a", "b"}));
}

TEST(FunctionSummary, RefusesOtherText) {
  std::map<std::string, FunctionFacts> functions;
  for (const char *text : {"", "[]", "{", R"({"f": 1})", R"({"f": {"writes": 1, "mpi": true}})",
                           R"({"f": {"writes": true, "mpi": true, "calls": [1]}})",
                           R"({"f": {"waits": 1, "writes": true, "mpi": true}})"})
    EXPECT_THROW(decodeFunctionFacts(text, "unit", functions), FormatError) << text;
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
