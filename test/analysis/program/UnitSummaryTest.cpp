// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a unit says about itself: to text and back.

#include "analysis/program/UnitSummary.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

SiteIdentity placeAt(unsigned line) { return {"app.c", "spread", line, 1, 0xfedcba9876543210, ""}; }

/// A unit's text in which one part is `text`.
std::string unitWith(const std::string &part, const std::string &text) {
  std::string unit;
  for (const char *each : {"functions", "collectives", "loops"})
    unit += std::string(unit.empty() ? "{" : ", ") + '"' + each + "\": " +
            (part == each                       ? text
             : each == std::string("functions") ? "{}"
                                                : "[]");
  return unit + "}";
}

} // namespace

TEST(UnitSummary, ComesBackAsItWas) {
  UnitSummary unit;
  unit.functions["pack"] = {false, false, false, "", {"copy"}};
  unit.functions["\"odd\" name\xff"] = {true, true, true, "waits on a lock", {}};
  unit.collectives.push_back(
      {Collective::Reduce, placeAt(3), {placeAt(9)}, {placeAt(4), placeAt(5)}, "bitwise or", ""});
  unit.collectives.push_back({Collective::AllToAll, placeAt(3), {}, {}, "", "the tags differ"});
  unit.collectives.back().own = true;
  unit.loops.push_back({placeAt(7), "calls usleep, which may wait outside MPI", {}});
  unit.loops.push_back({placeAt(8), "", {"pack", "unpack"}});
  unit.loops[1].namesCallees = false;
  const UnitSummary read = decodeUnitSummary(encodeUnitSummary(unit), "unit");
  ASSERT_EQ(read.functions.size(), 2u);
  EXPECT_FALSE(read.functions.at("pack").mayWait);
  EXPECT_FALSE(read.functions.at("pack").writesMemory);
  EXPECT_EQ(read.functions.at("pack").callees, std::vector<std::string>{"copy"});
  EXPECT_TRUE(read.functions.begin()->second.mayWait);
  EXPECT_EQ(read.functions.begin()->second.reason, "waits on a lock");
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
  EXPECT_TRUE(read.loops[0].namesCallees);
  EXPECT_FALSE(read.loops[1].namesCallees);
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
  EXPECT_EQ(decodeUnitSummary(unitWith("collectives", good), "unit").collectives.size(), 1u);
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
    EXPECT_THROW(decodeUnitSummary(unitWith("collectives", text), "unit"), FormatError) << text;
  const std::string loop = R"([{"loop": )" + site + R"(, "calls": ["f"]}])";
  EXPECT_EQ(decodeUnitSummary(unitWith("loops", loop), "unit").loops.size(), 1u);
  for (const std::string &text :
       {std::string("{}"), "[" + site + "]", R"([{"loop": )" + site + "}]",
        R"([{"loop": )" + site + R"(, "calls": [1]}])",
        R"([{"loop": )" + site + R"(, "calls": [], "refused": ""}])"})
    EXPECT_THROW(decodeUnitSummary(unitWith("loops", text), "unit"), FormatError) << text;
  const std::string function = R"({"f": {"writes": true, "mpi": true, "calls": ["g"]}})";
  EXPECT_EQ(decodeUnitSummary(unitWith("functions", function), "unit").functions.size(), 1u);
  for (const char *text : {"[]", R"({"f": 1})", R"({"f": {"writes": 1, "mpi": true}})",
                           R"({"f": {"writes": true, "mpi": true, "calls": [1]}})",
                           R"({"f": {"waits": 1, "writes": true, "mpi": true}})"})
    EXPECT_THROW(decodeUnitSummary(unitWith("functions", text), "unit"), FormatError) << text;
  for (const char *text : {"", "{", "[]", "{\"functions\": {}}", "{\"collectives\": []}"})
    EXPECT_THROW(decodeUnitSummary(text, "unit"), FormatError) << text;
}
