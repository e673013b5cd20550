// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan may say of irregular collectives: ranks wait for combined messages, so a part that
// does not fit the others is refused.

#include "analysis/file/FormatError.h"
#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/plan/KnownSections.h"
#include "analysis/sharing/routes/RouteTable.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

constexpr int ranksOfPlan = 3;

/// The sum of all ranks' shares; each rank has its own part alone.
JointSum::Words sumOf(const RankCountPlan &plan) {
  JointSum::Words all{};
  for (int rank = 0; rank < ranksOfPlan; ++rank) {
    RankCountPlan own = plan;
    own.of<IrregularCollectives>().routes = {
        plan.of<IrregularCollectives>().routes[static_cast<std::size_t>(rank)]};
    JointSum share;
    knownSectionsOf(irregularStem)->addToSum(own, ranksOfPlan, rank, share);
    for (std::size_t word = 0; word < all.size(); ++word)
      all[word] += share.words()[word];
  }
  return all;
}

std::string contradictionIn(const RankCountPlan &plan) {
  const std::optional<std::string> found =
      knownSectionsOf(irregularStem)->contradictionAmongRanks(plan, ranksOfPlan);
  if (plan.of<IrregularCollectives>().routes.size() == ranksOfPlan) {
    EXPECT_EQ(sumOf(plan) == JointSum::Words{}, !found) << found.value_or("nothing is wrong");
  }
  return found.value_or("");
}

/// Rank 0 has a block for rank 2, which travels through rank 1.
RankCountPlan routedPlan() {
  RankCountPlan plan;
  IrregularCollectives &own = plan.of<IrregularCollectives>();
  own.replaced.push_back({{MpiFunctionId::Alltoallv, {{0, 1, 2}, 0, false}}, 2, 8});
  const ExchangePattern pattern{ranksOfPlan, {{0, 2, 8}}};
  for (RankExchange &part : partsOfRanks(0, pattern, {{0}}, {2, {{{0, 1}, {1, 2}}}}))
    own.routes.push_back({std::move(part)});
  return plan;
}

TEST(IrregularInPlan, AcceptsRoutesThatFitTogether) {
  EXPECT_EQ(contradictionIn(routedPlan()), "");
}

TEST(IrregularInPlan, RefusesAMessageThatNobodySends) {
  RankCountPlan plan = routedPlan();
  plan.of<IrregularCollectives>().routes[1].clear();
  EXPECT_EQ(contradictionIn(plan),
            "a combined message of an irregular collective that only one of its ranks knows");
}

TEST(IrregularInPlan, RefusesAMessageThatArrivesAsAnother) {
  RankCountPlan plan = routedPlan();
  RankExchange &middle = plan.of<IrregularCollectives>().routes[1][0];
  ASSERT_EQ(middle.messages.size(), 1u);
  middle.messages[0].source = 1;
  EXPECT_EQ(contradictionIn(plan),
            "a combined message of an irregular collective that only one of its ranks knows");
}

TEST(IrregularInPlan, RefusesRoutesOutsideOfTheCommunicator) {
  RankCountPlan plan = routedPlan();
  plan.of<IrregularCollectives>().replaced[0].calls.communicator.members = {0, 2};
  EXPECT_EQ(contradictionIn(plan),
            "an irregular collective's route through rank 1, which is not in its communicator");
}

TEST(IrregularInPlan, RefusesCombinedMessagesWithoutRoom) {
  RankCountPlan plan = routedPlan();
  plan.of<IrregularCollectives>().replaced[0].largest = largestCombined;
  EXPECT_EQ(contradictionIn(plan),
            "a combined message of an irregular collective that is too large");
}

TEST(IrregularInPlan, RefusesACommunicatorTwice) {
  RankCountPlan plan = routedPlan();
  IrregularCollectives &own = plan.of<IrregularCollectives>();
  own.replaced.push_back(own.replaced[0]);
  EXPECT_EQ(contradictionIn(plan), "MPI_Alltoallv on one communicator twice");
}

TEST(IrregularInPlan, RefusesAMissingRank) {
  RankCountPlan plan = routedPlan();
  plan.of<IrregularCollectives>().routes.pop_back();
  EXPECT_EQ(contradictionIn(plan), "ranks without a part of an irregular collective's routes");
}

TEST(IrregularInPlan, ReadsRoutesAsTheyWereWritten) {
  const RankCountPlan plan = routedPlan();
  const IrregularCollectives &own = plan.of<IrregularCollectives>();
  for (int rank = 0; rank < ranksOfPlan; ++rank) {
    ByteWriter out;
    encodeParts(out, own.routes[static_cast<std::size_t>(rank)]);
    const std::string bytes = out.take();
    ByteReader in(bytes, "plan");
    const std::vector<RankExchange> read =
        decodeIrregularRoutes(in, ranksOfPlan, rank, own.replaced);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].messages, own.routes[static_cast<std::size_t>(rank)][0].messages);
  }
}

TEST(IrregularInPlan, LeavesTheCallsOfASynchronisedRun) {
  RankCountPlan plan = routedPlan();
  IrregularCollectives &own = plan.of<IrregularCollectives>();
  own.decisions.push_back({own.replaced[0].calls, true, "faster", 1, 2, 1, {}});
  knownSectionsOf(irregularStem)->leaveSites(plan);
  EXPECT_TRUE(own.replaced.empty() && own.routes.empty());
  EXPECT_FALSE(own.decisions[0].replaced);
  EXPECT_EQ(own.decisions[0].reason, "buffers are planned for the calls as written");
}

} // namespace
} // namespace sendwright
