// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/SharedExchanges.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/sharing/ExchangesInPlan.h"
#include "test/analysis/sharing/SharedExchangesSample.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace sendwright {
namespace {

TEST(PlanFile, RankTakesItsPartOfAnExchange) {
  Plan plan;
  plan.rankCounts[3].sites.resize(2);
  plan.rankCounts[3].sites[1].site.line = 2;
  plan.rankCounts[3].of<PlannedOrders>().ranks.resize(3);
  plan.rankCounts[8].of<PlannedOrders>().ranks.resize(8);
  addSharedExchanges(plan.rankCounts[3]);
  const std::string file = testing::TempDir() + "shared-exchanges.plan";
  writePlan(plan, file);
  const std::string bytes = readTextFile(file);
  EXPECT_TRUE(sharesMessages(bytes.data(), bytes.size(), 3));
  EXPECT_FALSE(sharesMessages(bytes.data(), bytes.size(), 8));
  EXPECT_TRUE(sharesMessages(bytes.data(), bytes.size()));
  const RankPlan mine = decodeRankPlan(bytes.data(), bytes.size(), "f", 3, 1);
  ASSERT_EQ(mine.own.of<SharedExchanges>().exchanges.size(), 2u);
  EXPECT_EQ(mine.own.of<SharedExchanges>().exchanges[0].method, "a chain");
  EXPECT_EQ(mine.own.of<SharedExchanges>().exchanges[1].communicator.members,
            (std::vector<int>{2, 0}));
  ASSERT_EQ(mine.own.of<SharedExchanges>().rankExchanges.at(0).size(), 1u);
  EXPECT_EQ(mine.own.of<SharedExchanges>().rankExchanges.at(0)[0].messages,
            (std::vector<SharedMessage>{{0, 1, {5}}, {0, 2, {}}})); // the second is only passed on
  const RankStages stages = {{{}, {{0, {0, 1}}}}, {{{2, {1}}}, {}}};
  ASSERT_EQ(mine.own.of<SharedExchanges>().rankExchanges.at(0)[0].stages.size(), 2u);
  for (std::size_t stage = 0; stage < 2; ++stage) {
    EXPECT_EQ(mine.own.of<SharedExchanges>().rankExchanges.at(0)[0].stages[stage].sends,
              stages[stage].sends);
    EXPECT_EQ(mine.own.of<SharedExchanges>().rankExchanges.at(0)[0].stages[stage].receives,
              stages[stage].receives);
  }
  EXPECT_EQ(decodeRankPlan(bytes.data(), bytes.size(), "f", 3, 2)
                .own.of<SharedExchanges>()
                .rankExchanges.at(0)[0]
                .messages,
            (std::vector<SharedMessage>{{0, 2, {0, 7}}}));
  std::filesystem::remove(file);
}

TEST(PlanFile, AMessageMayHaveAnyTag) {
  const std::vector<SharedExchange> exchanges{{0, {{0, 1, 2}}, "direct", 1, 1, {}}};
  const std::vector<RankExchange> parts{{0, {{0, 1, {anyTag}}}, {{{{1, {0}}}, {}}}}};
  ByteWriter out;
  encodeParts(out, parts);
  const std::string bytes = out.take();
  ByteReader in(bytes, "f");
  EXPECT_EQ(decodeParts(in, 3, 0, exchanges).at(0).messages, parts[0].messages);
}

TEST(PlanFile, AMessageHasNoOtherTagBesideAnyTag) {
  const std::vector<SharedExchange> exchanges{{0, {{0, 1, 2}}, "direct", 1, 1, {}}};
  ByteWriter out;
  encodeParts(out, {{0, {{0, 1, {anyTag, 3}}}, {{{{1, {0}}}, {}}}}});
  const std::string bytes = out.take();
  ByteReader in(bytes, "f");
  EXPECT_THROW(decodeParts(in, 3, 0, exchanges), FormatError);
}

} // namespace
} // namespace sendwright
