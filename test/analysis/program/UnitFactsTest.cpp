// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts embedded in programs that are built with a plan: to bytes and back, never from damaged
// bytes; and when a site may still be deferred.

#include "analysis/program/UnitFacts.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

using Functions = std::map<std::string, FunctionFacts>;

FunctionFacts wrapper(std::vector<std::string> callees = {}) {
  return {false, false, true, "", std::move(callees)};
}

/// A site that calls `send_row` and was proved to overwrite no buffer; `send_row` reached `pack`.
SiteReliance stableSite() { return {{{"send_row", {false, true}}}, {"pack"}}; }

std::string problem(const Functions &functions, const SiteReliance &site = stableSite()) {
  return brokenReliance(site, functions);
}

} // namespace

TEST(UnitFacts, ComeBackAsTheyWere) {
  UnitFacts facts;
  facts.functions["send_row"] = {true, false, true, "sleeps", {"pack"}};
  facts.sites = {stableSite(), {}};
  facts.targets = {{"free", false, {}},
                   {"_ZL3putv", true, {true, false, true, "sleeps", {"pack"}}}};
  const std::string bytes = encodeUnitFacts(facts);
  const UnitFacts read = decodeUnitFacts(bytes.data(), bytes.size(), "unit");
  ASSERT_EQ(read.functions.size(), 1u);
  const FunctionFacts &function = read.functions.at("send_row");
  EXPECT_TRUE(function.mayWait && !function.writesMemory && function.reachesMpi);
  EXPECT_EQ(function.reason, "sleeps");
  EXPECT_EQ(function.callees, std::vector<std::string>{"pack"});
  ASSERT_EQ(read.sites.size(), 2u);
  EXPECT_FALSE(read.sites[0].called.at("send_row").writesMemory);
  EXPECT_TRUE(read.sites[0].called.at("send_row").reachesMpi);
  EXPECT_EQ(read.sites[0].beneath, std::set<std::string>{"pack"});
  EXPECT_TRUE(read.sites[1].called.empty());
  ASSERT_EQ(read.targets.size(), 2u);
  EXPECT_TRUE(read.targets[0].symbol == "free" && !read.targets[0].known);
  EXPECT_TRUE(read.targets[1].known && read.targets[1].facts.mayWait);
  EXPECT_EQ(read.targets[1].facts.callees, std::vector<std::string>{"pack"});
}

TEST(UnitFacts, AreNotReadFromDamagedBytes) {
  UnitFacts facts;
  facts.functions["send_row"] = wrapper({"pack"});
  facts.sites = {stableSite()};
  facts.targets = {{"send_row", false, {}}, {"put", true, wrapper({"pack"})}};
  const std::string bytes = encodeUnitFacts(facts);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(decodeUnitFacts(bytes.data(), size, "unit"), FormatError) << size;
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 1);
    EXPECT_THROW(decodeUnitFacts(damaged.data(), damaged.size(), "unit"), FormatError) << place;
  }
}

TEST(UnitFacts, NothingChanged) {
  EXPECT_EQ(problem({{"send_row", wrapper({"pack"})}, {"pack", wrapper()}}), "");
}

TEST(UnitFacts, BetterIsFine) {
  EXPECT_EQ(problem({{"send_row", {false, false, false, "", {}}}}), "");
  EXPECT_EQ(problem({}, {}), "");
}

TEST(UnitFacts, WorseIsNot) {
  EXPECT_EQ(problem({{"send_row", {true, false, true, "calls sleep, which may wait", {}}}}),
            "send_row, which it reaches, now calls sleep, which may wait; profile again");
  EXPECT_EQ(problem({{"send_row", wrapper({"pack"})}, {"pack", {false, true, false, "", {}}}}),
            "pack, which it reaches, now may write memory that is sent; profile again");
  SiteReliance silent = stableSite();
  silent.called["send_row"].reachesMpi = false;
  EXPECT_EQ(problem({{"send_row", wrapper()}}, silent),
            "send_row, which it reaches, now may call MPI; profile again");
}

TEST(UnitFacts, NamesFunctionsAsTheSourceDoes) {
  EXPECT_EQ(problem({{"_ZN3app3putEi", {true, false, true, "sleeps", {}}}},
                    {{{"_ZN3app3putEi", {}}}, {}}),
            "app::put(int), which it reaches, now sleeps; profile again");
}

TEST(UnitFacts, WritesDoNotMatterWhereBuffersAreCopied) {
  const SiteReliance copying = {{{"send_row", {true, true}}}, {}};
  EXPECT_EQ(problem({{"send_row", {false, true, true, "", {}}}}, copying), "");
}

TEST(UnitFacts, UnknownIsNot) {
  EXPECT_EQ(problem({}), "nothing is known about send_row, which it reaches; compile it with the "
                         "plugin and this plan, or profile again");
  EXPECT_EQ(problem({{"send_row", wrapper({"pack"})}}),
            "nothing is known about pack, which it reaches; compile it with the plugin and this "
            "plan, or profile again");
  EXPECT_EQ(problem({{"send_row", wrapper({"scale"})}}),
            "it reaches scale, which it did not when it was profiled; profile again");
}

TEST(UnitFacts, WhatIsNoLongerCalledDoesNotMatter) {
  EXPECT_EQ(problem({{"send_row", wrapper()}, {"pack", {true, true, true, "", {}}}}), "");
}

TEST(UnitFacts, Beneath) {
  const Functions functions = {{"a", wrapper({"b", "a"})}, {"b", wrapper({"c"})}, {"c", wrapper()}};
  EXPECT_EQ(functionsBeneath({{"a", {}}}, functions), (std::set<std::string>{"b", "c"}));
}

TEST(UnitFacts, CallsThroughPointers) {
  const Functions functions = {{"send_row", wrapper({"pack"})},
                               {"pack", wrapper()},
                               {"nap", {true, false, false, "sleeps", {}}},
                               {"log", wrapper({"write_line"})}};
  EXPECT_EQ(problemOfCall({"send_row", false, {}}, functions), "");
  EXPECT_EQ(problemOfCall({"put", true, wrapper({"send_row"})}, functions), "");
  EXPECT_EQ(problemOfCall({"_ZN3app3putEi", true, {true, false, true, "sleeps", {}}}, functions),
            "it calls app::put(int) through a pointer, which sleeps");
  EXPECT_EQ(problemOfCall({"nap", false, {}}, functions),
            "it calls nap through a pointer, which sleeps");
  EXPECT_EQ(problemOfCall({"put", true, wrapper({"pack", "nap"})}, functions),
            "it calls put through a pointer, which reaches nap, which sleeps");
  EXPECT_EQ(
      problemOfCall({"put", true, wrapper({"log"})}, functions),
      "it calls put through a pointer, which reaches write_line, about which nothing is known; "
      "compile it with the plugin and this plan");
  EXPECT_EQ(problemOfCall({"other", false, {}}, functions),
            "nothing is known about other, which it calls through a pointer; compile it with the "
            "plugin and this plan");
}

TEST(UnitFacts, TheWorseOfTwoTargetsAtOneAddress) {
  CallTarget target;
  addCallTarget(target, {"put", false, {}});
  EXPECT_EQ(target.symbol, "put");
  addCallTarget(target, {"put", true, wrapper({"pack"})});
  EXPECT_EQ(target.facts.callees, std::vector<std::string>{"pack"});
  addCallTarget(target, {"put", false, {}});
  addCallTarget(target, {"put", true, wrapper({"send_row"})});
  EXPECT_EQ(target.facts.callees, (std::vector<std::string>{"pack", "send_row"}));
  addCallTarget(target, {"same_code", true, {true, false, true, "sleeps", {}}});
  addCallTarget(target, {"put", true, wrapper()});
  EXPECT_EQ(problemOfCall(target, {}), "it calls same_code through a pointer, which sleeps");
}
