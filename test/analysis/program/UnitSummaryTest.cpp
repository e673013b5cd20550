// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a unit says about itself: to text and back.

#include "analysis/program/UnitSummary.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

SiteIdentity placeAt(unsigned line) { return {"app.c", "spread", line, 1, 0xfedcba9876543210, ""}; }

} // namespace

TEST(UnitSummary, ComesBackAsItWas) {
  UnitSummary unit;
  unit.functions["pack"].writesMemory = true;
  unit.collectives.push_back(
      {Collective::Reduce, placeAt(3), {placeAt(9)}, {placeAt(4), placeAt(5)}, "bitwise or", ""});
  unit.collectives.push_back({Collective::AllToAll, placeAt(3), {}, {}, "", "the tags differ"});
  unit.collectives.back().own = true;
  unit.loops.push_back({placeAt(7), "calls usleep, which may wait outside MPI", {}});
  unit.loops.push_back({placeAt(8), "", {"pack", "unpack"}});
  const UnitSummary read = decodeUnitSummary(encodeUnitSummary(unit), "unit");
  EXPECT_EQ(read.functions.size(), 1u);
  ASSERT_EQ(read.collectives.size(), 2u);
  const CollectiveInSource &reduction = read.collectives[0];
  EXPECT_EQ(reduction.operation, Collective::Reduce);
  EXPECT_EQ(reduction.reduction, "bitwise or");
  EXPECT_EQ(reduction.problem, "");
  EXPECT_TRUE(reduction.loop.sameAs(placeAt(3)));
  EXPECT_EQ(reduction.loop.line, 3u);
  ASSERT_EQ(reduction.receives.size(), 2u);
  EXPECT_EQ(reduction.receives[1].line, 5u);
  EXPECT_EQ(reduction.sends.size(), 1u);
  EXPECT_EQ(read.collectives[1].operation, Collective::AllToAll);
  EXPECT_EQ(read.collectives[1].problem, "the tags differ");
  EXPECT_TRUE(read.collectives[1].own);
  EXPECT_FALSE(reduction.own);
  ASSERT_EQ(read.loops.size(), 2u);
  EXPECT_EQ(read.loops[0].refusal, "calls usleep, which may wait outside MPI");
  EXPECT_TRUE(read.loops[1].loop.sameAs(placeAt(8)));
  EXPECT_EQ(read.loops[1].calls, (std::vector<std::string>{"pack", "unpack"}));
  // As older plugins wrote it.
  EXPECT_TRUE(decodeUnitSummary(R"({"functions": {}, "collectives": []})", "unit").loops.empty());
}

TEST(UnitSummary, RefusesOtherText) {
  const std::string site =
      R"({"file": "a.c", "function": "f", "line": 1, "ordinal": 0, "hash": 1})";
  const std::string good = R"([{"operation": "gather", "loop": )" + site + R"(, "sends": [)" +
                           site + R"(], "receives": []}])";
  EXPECT_EQ(decodeCollectives(good, "unit").size(), 1u);
  const auto damaged = [&](const std::string &part, const std::string &other) {
    std::string text = good;
    return text.replace(text.find(part), part.size(), other);
  };
  for (const std::string &text :
       {std::string("{}"), std::string("[1]"), damaged("gather", "barrier"),
        damaged("gather", "reduce"), damaged("\"line\": 1", "\"line\": -1"),
        damaged("\"ordinal\": 0", "\"ordinal\": 4294967296"), damaged("\"receives\"", "\"other\""),
        damaged("[" + site + "]", site), damaged("\"a.c\"", "7"),
        damaged("\"sends\"", "\"own\": 1, \"sends\"")})
    EXPECT_THROW(decodeCollectives(text, "unit"), FormatError) << text;
  const std::string loop = R"([{"loop": )" + site + R"(, "calls": ["f"]}])";
  EXPECT_EQ(decodeLoops(loop, "unit").size(), 1u);
  for (const std::string &text :
       {std::string("{}"), "[" + site + "]", R"([{"loop": )" + site + "}]",
        R"([{"loop": )" + site + R"(, "calls": [1]}])",
        R"([{"loop": )" + site + R"(, "calls": [], "refused": ""}])"})
    EXPECT_THROW(decodeLoops(text, "unit"), FormatError) << text;
  for (const char *text : {"", "[]", "{\"functions\": {}}", "{\"collectives\": []}"})
    EXPECT_THROW(decodeUnitSummary(text, "unit"), FormatError) << text;
}
