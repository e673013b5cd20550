// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a few bytes may ask for.

#include "test/analysis/file/FileSamples.h"

#include "analysis/calibration/MachineFile.h"
#include "analysis/file/Activity.h"
#include "analysis/file/Bytes.h"
#include "analysis/file/JsonNesting.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/machine/Machine.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/program/UnitSummary.h"
#include "analysis/trace/RunSize.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <stdexcept>

namespace sendwright {
namespace {

/// The message of the FormatError that `action` throws.
template <typename Action> std::string problemOf(Action action) {
  try {
    action();
  } catch (const FormatError &error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Limits, SayWhatWasFoundAndWhatIsAllowed) {
  const Limit limit{"ranks", 8, "--ranks N allows more"};
  EXPECT_NO_THROW(limit.check("f", 8));
  EXPECT_EQ(problemOf([&] { limit.check("f:3", 9); }),
            "f:3: 9 ranks, expected at most 8 (--ranks N allows more)");
  EXPECT_NO_THROW(limit.raisedTo(9).check("f", 9));
}

TEST(Limits, ListsAreRefusedBeforeTheyTakeMemory) {
  ByteWriter out;
  out.number(1000);
  const std::string bytes = out.take() + std::string(1000, '\0');
  MemoryBudget budget("f", 1 << 20);
  ByteReader in(bytes, "f: damaged", &budget);
  struct Large {
    char bytes[4096];
  };
  std::vector<Large> list;
  EXPECT_EQ(problemOf([&] { in.resize(list); }),
            "f: what it holds needs more than 1 MiB of memory, expected at most 1 MiB for a file "
            "of its size");
  EXPECT_EQ(list.capacity(), 0U);
}

TEST(Limits, ADeviceThatNeverEndsIsNotReadToItsEnd) {
  EXPECT_EQ(problemOf([] { readTextFile("/dev/zero"); }),
            "/dev/zero: a device that gives more than 16 MB, expected a file");
  EXPECT_EQ(readTextFile("/dev/null"), "");
}

TEST(Limits, NestingIsFoundWithoutParsing) {
  EXPECT_EQ(findDeepNesting("[[{}]]", 3), std::string::npos);
  EXPECT_EQ(findDeepNesting("[[{}]]", 2), 2U);
  EXPECT_EQ(findDeepNesting("[\"[[[[\\\"[[[\", []]", 2), std::string::npos);
  const std::string deep(1 << 20, '[');
  EXPECT_EQ(problemOf([&] { parseMachine("{\"L\":\n" + deep, "m.json"); }),
            "m.json:2: lists and objects within one another, expected at most 64 levels");
  EXPECT_NE(problemOf([&] { decodeUnitSummary(deep, "a.prof"); }).find("nests deeply"),
            std::string::npos);
}

TEST(Limits, ARunCostsWhatItsGrammarStandsFor) {
  Profile profile = sampleProfile();
  const std::uint64_t cost = runCost(profile);
  EXPECT_GT(cost, 5U * 3000);
  profile.ranks[0].sequence.rules = {{{0, false, UINT64_MAX / 2}}};
  profile.ranks[1].sequence.rules = {{{0, false, UINT64_MAX / 2 + 9}}};
  EXPECT_EQ(runCost(profile), UINT64_MAX);
  Event wait;
  wait.requests.resize(640);
  EXPECT_EQ(costOf(wait), 11U);
}

TEST(Limits, APlanThatNobodyCouldReadIsNotWritten) {
  const std::string file = testing::TempDir() + "unreadable.plan";
  for (const double figure :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Plan plan = samplePlan();
    plan.rankCounts.at(3).sites[0].gain = figure;
    EXPECT_EQ(problemOf([&] { writePlan(plan, file); }),
              file + ": not written: a gain is not finite, expected a number");
  }
  Plan plan = samplePlan();
  plan.machine.between.o_recv = 1e308;
  EXPECT_NE(problemOf([&] { writePlan(plan, file); }).find("not written: a machine's parameter"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Limits, ASiteIsInAPlanOnce) {
  const std::string file = testing::TempDir() + "twice.plan";
  Plan plan = samplePlan();
  plan.rankCounts.at(3).sites[1].site = plan.rankCounts.at(3).sites[0].site;
  writePlan(plan, file);
  EXPECT_NE(problemOf([&] { readPlan(file); }).find("twice, expected each site once"),
            std::string::npos);
  plan = samplePlan();
  plan.rankCounts.at(3).of<PlannedOrders>().ranks[1].push_back(
      plan.rankCounts.at(3).of<PlannedOrders>().ranks[1][0]);
  writePlan(plan, file);
  EXPECT_NE(problemOf([&] { readPlan(file); }).find("site 0 twice, expected each site once"),
            std::string::npos);
}

TEST(Activity, IsNamedInPlaceOfAnException) {
  const auto failureOf = [](auto thrown) {
    try {
      const Activity outer("planning", "app.prof");
      const Activity inner("reading", "m.json");
      throw thrown;
    } catch (const std::exception &error) {
      return describeFailure(error, "sendwright");
    }
  };
  EXPECT_EQ(failureOf(std::bad_alloc()),
            "m.json: memory ran out while reading, expected a smaller file or more memory");
  EXPECT_EQ(failureOf(std::length_error("vector::_M_default_append")),
            "m.json: memory ran out while reading, expected a smaller file or more memory");
  EXPECT_EQ(failureOf(std::out_of_range("map::at")),
            "m.json: Sendwright itself failed while reading, expected an answer or a line that "
            "says why not (please report it with the file)");
  EXPECT_EQ(failureOf(FormatError("a.json:1: wrong")), "a.json:1: wrong");
  EXPECT_EQ(describeFailure(std::bad_alloc(), "sendwright").find("std"), std::string::npos);
}

} // namespace
} // namespace sendwright
