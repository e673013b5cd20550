// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of each condition that keeps sends in their order.

#include "analysis/ordering/OrderingRefusal.h"

#include <gtest/gtest.h>

#include <set>

using namespace sendwright;

TEST(OrderingRefusal, EachObstacleHasASentenceAndAReasonOfItsOwn) {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(lastOrderingObstacle); ++number) {
    const OrderingRefusal refusal{.obstacle = static_cast<OrderingObstacle>(number)};
    EXPECT_NE(textOf(refusal), "") << number;
    EXPECT_TRUE(sentences.insert(textOf(refusal)).second) << textOf(refusal);
    EXPECT_NE(leaveReasonOf(refusal), LeaveReason::None) << number;
  }
}

TEST(OrderingRefusal, ASentenceNamesItsFacts) {
  EXPECT_EQ(textOf(OrderingRefusal{.obstacle = OrderingObstacle::WaitsForReply,
                                   .function = MpiFunctionId::Wait}),
            "it receives or waits between its sends (MPI_Wait)");
  EXPECT_EQ(textOf(OrderingRefusal{.obstacle = OrderingObstacle::WaitsForReply,
                                   .function = MpiFunctionId::Sendrecv}),
            "it receives or waits between its sends (MPI_Sendrecv; if none depends on an earlier "
            "one, -fplugin-arg-sendwright-overlap-exchanges lets them overlap)");
  EXPECT_EQ(textOf(OrderingRefusal{.obstacle = OrderingObstacle::SeparatedSends,
                                   .function = MpiFunctionId::Barrier}),
            "MPI_Barrier between the sends issues them one by one");
  EXPECT_EQ(
      textOf(OrderingRefusal{.obstacle = OrderingObstacle::InAnotherBatch, .place = "app.c:40"}),
      "its sends leave with those of what is around it, at app.c:40");
  OrderingFigures figures;
  figures.unit = 1e-6;
  figures.given = 40e-6;
  figures.planned = figures.lowerBound = 38e-6;
  EXPECT_EQ(textOf(OrderingRefusal{.obstacle = OrderingObstacle::BelowThreshold,
                                   .figures = figures,
                                   .gain = 5,
                                   .limit = 10}),
            "the order gains 5 %, below the threshold of 10 % (max c'_p 38 instead of 40, at "
            "least 38)");
  EXPECT_EQ(changeText(figures), "max c'_p 38 instead of 40, at least 38");
  figures.planned = figures.given;
  EXPECT_EQ(changeText(figures), "max c'_p stays 40");
  figures.window = 1;
  EXPECT_EQ(
      textOf(OrderingRefusal{.obstacle = OrderingObstacle::AlreadyOptimal, .figures = figures}),
      "the order as given is already optimal (predicted 40 us of at least 38 us)");
}
