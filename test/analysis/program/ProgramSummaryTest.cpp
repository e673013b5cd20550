// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all units of a profile say together.

#include "analysis/program/ProgramSummary.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

SiteIdentity loopAt(unsigned line) { return {"app.c", "exchange", line, 0, line, ""}; }

ProfiledUnit unitOf(const std::string &file, const UnitSummary &summary) {
  return {file, encodeUnitSummary(summary)};
}

/// app.c calls pack() in both loops; util.c defines it.
Profile packingProgram() {
  Profile profile;
  profile.sites = {loopAt(3), loopAt(9), loopAt(12)};
  UnitSummary app, util;
  app.functions["main"].callees = {"pack"};
  app.loops = {{loopAt(3), "", {"pack"}}, {loopAt(9), "calls usleep", {}}};
  app.collectives.push_back({Collective::Broadcast, loopAt(3), {}, {}, "", ""});
  util.functions["pack"] = {true, false, false, "reads from a pipe", {}};
  util.collectives.push_back({Collective::Gather, loopAt(9), {}, {}, "", ""});
  profile.units = {unitOf("src/app.c", app), {"src/plain.c", ""}, unitOf("src/util.c", util)};
  return profile;
}

} // namespace

TEST(ProgramSummary, JoinsWhatTheUnitsSay) {
  const ProgramSummary program = decodeUnits(packingProgram(), "run.prof");
  EXPECT_EQ(program.functions.size(), 2u);
  EXPECT_EQ(program.functions.at("pack").reason, "reads from a pipe");
  EXPECT_EQ(program.files, (std::set<std::string>{"app.c", "util.c"}));
  ASSERT_EQ(program.collectives.size(), 2u);
  EXPECT_EQ(program.collectives[1].operation, Collective::Gather);
  EXPECT_EQ(program.loops.size(), 2u);
}

TEST(ProgramSummary, OfAFunctionInTwoUnitsTheWorseHolds) {
  Profile profile = packingProgram();
  UnitSummary other;
  other.functions["main"] = {true, true, true, "sleeps", {"pack", "send"}};
  profile.units.push_back(unitOf("main.c", other));
  const FunctionFacts facts = decodeUnits(profile, "run.prof").functions.at("main");
  EXPECT_EQ(facts.reason, "sleeps");
  EXPECT_EQ(facts.callees, (std::vector<std::string>{"pack", "send"}));
}

TEST(ProgramSummary, LoopsAreRefusedForWhatOtherUnitsSay) {
  const Profile profile = packingProgram();
  const std::vector<std::string> refusals = loopRefusals(profile, decodeUnits(profile, "run.prof"));
  EXPECT_EQ(refusals,
            (std::vector<std::string>{"calls pack, which reads from a pipe", "calls usleep", ""}));
}

TEST(ProgramSummary, DamageNamesTheProfileAndTheUnit) {
  Profile profile = packingProgram();
  profile.units[2].functions = "[]";
  try {
    decodeUnits(profile, "run.prof");
    FAIL() << "damaged text was taken";
  } catch (const FormatError &error) {
    EXPECT_EQ(std::string(error.what()).find("run.prof (src/util.c): "), 0u) << error.what();
  }
}

TEST(ProgramSummary, NamesLoopsThatMaySendWithoutAMark) {
  UnitSummary solver, transport;
  solver.loops = {{loopAt(3), "", {"send_value"}, false},
                  {loopAt(9), "", {"pack"}, false},
                  {loopAt(12), "calls usleep", {"send_value"}, false},
                  {loopAt(15), "", {"send_value"}, true},
                  {loopAt(18), "", {"elsewhere", "exchange"}, false}};
  transport.functions["send_value"].sends = true;
  transport.functions["exchange"].sends = true;
  SiteIdentity within = loopAt(30);
  within.function = "exchange";
  transport.loops = {{within, "", {}, true}};
  transport.functions["pack"] = {};
  Profile profile;
  profile.units = {unitOf("solver.cpp", solver), unitOf("transport.cpp", transport)};
  const auto loops = unmarkedSendLoops(decodeUnits(profile, "run.prof"));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].line, 3u);
}
