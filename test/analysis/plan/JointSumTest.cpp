// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that read one part of a plan each find by a sum whether all parts fit together, and so does
// whoever reads all parts: both ways have the same answer.

#include "analysis/plan/Plan.h"
#include "analysis/plan/PlanContradictions.h"
#include "analysis/sharing/SharedExchanges.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/plan/KnownSections.h"
#include "test/analysis/file/FileSamples.h"
#include "test/benchmark/plan-changes/PlanChanges.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

namespace sendwright {
namespace {

constexpr int ranksOfExchanges = 4;

std::string fileOf(const RankCountPlan &part) {
  Plan plan;
  plan.machine = defaultMachine();
  plan.rankCounts[ranksOfExchanges] = part;
  const std::string file = testing::TempDir() + "joint-sum.plan";
  writePlan(plan, file);
  std::string bytes = readTextFile(file);
  std::filesystem::remove(file);
  return bytes;
}

/// The sum of all ranks' shares. Throws FormatError if a rank cannot read its part.
JointSum::Words sumOfFile(const RankCountPlan &plan) {
  const std::string bytes = fileOf(plan);
  JointSum::Words all{};
  for (int rank = 0; rank < ranksOfExchanges; ++rank) {
    const RankPlan part = decodeRankPlan(bytes.data(), bytes.size(), "f", ranksOfExchanges, rank);
    const JointSum::Words share = jointSumOf(part.own, ranksOfExchanges, rank).words();
    for (std::size_t word = 0; word < all.size(); ++word)
      all[word] += share[word];
  }
  return all;
}

/// What whoever reads all parts finds in exchanges.
std::string contradictionInExchangesOf(const RankCountPlan &plan) {
  return knownSectionsOf("message-sharing")
      ->contradictionAmongRanks(plan, ranksOfExchanges)
      .value_or("");
}

bool isZeroAfter(const std::function<void(SharedExchanges &)> &change) {
  RankCountPlan plan = planOfExchanges();
  change(plan.of<SharedExchanges>());
  const bool isZero = sumOfFile(plan) == JointSum::Words{};
  EXPECT_EQ(isZero, contradictionInExchangesOf(plan).empty());
  return isZero;
}

TEST(JointSum, IsZeroOnlyWherePartsFitTogether) {
  using Exchanges = SharedExchanges;
  EXPECT_TRUE(isZeroAfter([](Exchanges &) {}));
  EXPECT_FALSE(isZeroAfter([](Exchanges &e) { e.rankExchanges[3].clear(); })) << "a rank's part";
  EXPECT_FALSE(isZeroAfter([](Exchanges &e) { ++e.exchanges[0].messages; })) << "the messages";
  EXPECT_FALSE(isZeroAfter([](Exchanges &e) {
    for (SharedMessage &message : e.rankExchanges[2][0].messages)
      if (message.source == 2)
        message.tags.push_back(1000);
  })) << "a tag that only its sender knows";
  EXPECT_FALSE(isZeroAfter([](Exchanges &e) {
    e.turns.front().ofRanks[2] = ExchangeTurns::nothing;
  })) << "a rank without turns";
  EXPECT_FALSE(isZeroAfter([](Exchanges &e) {
    e.turns.front().ofRanks.assign(ranksOfExchanges, ExchangeTurns::nothing);
  })) << "all ranks find the same: their shares do not add up to zero";
}

TEST(JointSum, FindsWhatIsFoundInAllParts) {
  const RankCountPlan plan = planOfExchanges();
  std::mt19937 random(24);
  std::size_t refused = 0, accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    const ChangedPlan changed = randomChange(plan, random);
    JointSum::Words sum{};
    try {
      sum = sumOfFile(changed.plan);
    } catch (const FormatError &) {
      continue; // a rank says so
    }
    const std::string found = contradictionInExchangesOf(changed.plan);
    ASSERT_EQ(sum == JointSum::Words{}, found.empty()) << changed.change << ": " << found;
    ++(found.empty() ? accepted : refused);
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(accepted, 100u);
}

TEST(JointSum, LeavesExchangesToItself) {
  const std::string exchanges = fileOf(planOfExchanges());
  EXPECT_EQ(
      contradictionInPartsWithoutSum(exchanges.data(), exchanges.size(), "f", ranksOfExchanges),
      std::nullopt);
  RankCountPlan changed = planOfExchanges();
  changed.of<SharedExchanges>().rankExchanges[3].clear();
  const std::string bytes = fileOf(changed);
  EXPECT_EQ(contradictionInPartsWithoutSum(bytes.data(), bytes.size(), "f", ranksOfExchanges),
            std::nullopt);
  EXPECT_NE(contradictionInJointParts(bytes.data(), bytes.size(), "f", ranksOfExchanges),
            std::nullopt);
}

} // namespace
} // namespace sendwright
