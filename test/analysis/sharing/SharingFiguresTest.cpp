// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of sparse matrix-vector products with figures that another program computed: for direct
// messages, for both phases, and for store-and-forward over every grid. Its times are for items of
// 8 and of 64 bytes, in microseconds with one decimal.

#include "analysis/sharing/routes/SharedPattern.h"
#include "analysis/sharing/search/SenderSharing.h"
#include "analysis/sharing/search/Sharing.h"
#include "analysis/sharing/search/StoreAndForward.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>

using namespace sendwright;

namespace {

/// The figures have four decimals.
constexpr double figureRounding = 6e-5;
constexpr double timeRounding = 0.0501;

/// The machine that the times were computed for.
Machine machineOfFigures() {
  Machine machine;
  machine.between = {1.5e-6, 0.7e-6, 0.7e-6, 0.7e-6, 1e-10, 0, 65536};
  return machine;
}

class KnownSharingFigures : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::ifstream file(std::string(SENDWRIGHT_ANALYSIS_TEST_INPUTS) + "/sharing-figures.json");
    expected = nlohmann::json::parse(file).at(GetParam());
    pattern =
        patternOf(readMatrix(std::string(SENDWRIGHT_SHARING_PATTERNS) + "/" + GetParam() + ".txt"));
  }

  void compare(const RouteTable &table, const nlohmann::json &figures) const {
    const std::vector<CombinedMessage> messages = combinedMessages(pattern, table);
    const SharingFigures found = sharingFigures(pattern, table, messages);
    EXPECT_EQ(found.stages, figures.at("stages"));
    EXPECT_NEAR(found.averageSends, figures.at("average_sends"), figureRounding);
    EXPECT_EQ(found.maxSends, figures.at("max_sends"));
    EXPECT_EQ(found.maxReceives, figures.at("max_receives"));
    EXPECT_EQ(found.maxLoad, figures.at("max_load"));
    EXPECT_NEAR(found.volumeFactor, figures.at("volume_factor"), figureRounding);
    const auto microseconds = [&](double bytesPerItem) {
      return 1e6 * predictSeconds(messages, pattern.ranks, machineOfFigures(), bytesPerItem);
    };
    EXPECT_NEAR(microseconds(8), figures.at("microseconds").at(0), timeRounding);
    EXPECT_NEAR(microseconds(64), figures.at("microseconds").at(1), timeRounding);
    if (figures.contains("max_hops")) {
      EXPECT_EQ(found.maxHops, figures.at("max_hops"));
    }
  }

  void compareCounts(const std::vector<std::int64_t> &counts, const nlohmann::json &figures,
                     const std::string &name) const {
    EXPECT_EQ(*std::max_element(counts.begin(), counts.end()), figures.at(name + "_max")) << name;
    EXPECT_NEAR(std::accumulate(counts.begin(), counts.end(), 0.0) / pattern.ranks,
                figures.at(name + "_average"), figureRounding)
        << name;
  }

  void comparePhase(const SenderSharing &phase, const nlohmann::json &figures) const {
    compareCounts(phase.counters, figures, "counter");
    compareCounts(distinctDestinations(pattern, phase.paths), figures, "union");
    compare(routesAlong(pattern, phase.paths), figures);
  }

  nlohmann::json expected;
  ExchangePattern pattern;
};

TEST_P(KnownSharingFigures, DirectAndStoreAndForward) {
  compare(directRoutes(pattern), expected.at("direct"));
  const nlohmann::json &grids = expected.at("store-and-forward");
  ASSERT_EQ(static_cast<int>(grids.size()), largestGridDimensions(pattern.ranks) - 1);
  for (int dimensions = 2; dimensions <= largestGridDimensions(pattern.ranks); ++dimensions) {
    SCOPED_TRACE(dimensions);
    compare(gridRoutes(pattern, gridExtents(pattern.ranks, dimensions)),
            grids.at(std::to_string(dimensions)));
  }
}

TEST_P(KnownSharingFigures, BothPhases) {
  const SenderSharing phaseOne = shareCommonDestinations(pattern);
  comparePhase(phaseOne, expected.at("phase1"));
  comparePhase(shareWithLeastLoaded(pattern, phaseOne), expected.at("phase2"));
}

class SelectedSharing : public KnownSharingFigures {};

TEST_P(SelectedSharing, IsTheFastestAndLoadsRanksLessThanBothPhases) {
  const SharingAnalysis analysis = analyzeSharing(pattern, machineOfFigures(), 8);
  const SharedRoutes &selected = analysis.selected();
  EXPECT_TRUE(selected.verified);
  EXPECT_GT(selected.figures.stages, 1);
  // Half of the pattern's own load, and at most two thirds of what both phases leave.
  EXPECT_LE(selected.figures.maxLoad * 3, analysis.phaseTwo.figures.maxLoad * 2);
  EXPECT_GE(selected.seconds, analysis.bounds.seconds);
  for (const SharedRoutes &grid : analysis.storeAndForward)
    EXPECT_LE(selected.seconds, grid.seconds);
  EXPECT_LT(selected.seconds, analysis.direct.seconds);
  EXPECT_LT(selected.seconds, analysis.phaseTwo.seconds);
}

std::string nameOfPattern(const testing::TestParamInfo<const char *> &info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Patterns, KnownSharingFigures,
                         testing::Values("bcsstk29.64", "bcsstk29.128", "bcsstk29.512",
                                         "fe_body.64", "fe_body.128", "fe_body.512",
                                         "email-Enron.64", "email-Enron.128", "email-Enron.512"),
                         nameOfPattern);

// The largest pattern takes long without optimisation; test/benchmark/sharing/run has it.
INSTANTIATE_TEST_SUITE_P(Patterns, SelectedSharing,
                         testing::Values("bcsstk29.64", "bcsstk29.128", "bcsstk29.512",
                                         "fe_body.64", "fe_body.512", "email-Enron.64",
                                         "email-Enron.128"),
                         nameOfPattern);

} // namespace
