// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/MeasuredCollectives.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

TEST(MeasuredCollectives, BetweenSizesOnStraightLines) {
  Machine machine;
  const auto at = [&](double bytes) {
    return measuredSeconds(machine, Collective::Gather, 4, bytes);
  };
  EXPECT_FALSE(at(8));
  machine.measured_collectives = {{"gather", 4, 100, 2}};
  EXPECT_EQ(at(8), 2);
  EXPECT_EQ(at(100), 2);
  EXPECT_FALSE(at(101));
  machine.measured_collectives.insert(machine.measured_collectives.end(),
                                      {{"gather", 4, 300, 6}, {"gather", 2, 200, 1}});
  EXPECT_EQ(at(200), 4);
  EXPECT_EQ(at(400), 8);
  machine.measured_collectives.push_back({"gather", 4, 500, 5});
  EXPECT_EQ(at(900), 5); // larger messages are not faster
}

TEST(MeasuredCollectives, WhereTimesFallTheWayOfTheSmallerSizesIsTakenToGoOn) {
  Machine machine;
  machine.measured_collectives = {
      {"reduce", 4, 100, 2}, {"reduce", 4, 300, 6}, {"reduce", 4, 700, 4}, {"reduce", 4, 900, 5}};
  const auto at = [&](double bytes) {
    return *measuredSeconds(machine, Collective::Reduce, 4, bytes);
  };
  EXPECT_EQ(at(300), 6);
  EXPECT_EQ(at(400), 8); // not 5.5: another algorithm may begin at any size up to 700
  EXPECT_DOUBLE_EQ(at(699), 13.98);
  EXPECT_EQ(at(700), 4);
  EXPECT_EQ(at(800), 4.5);
  machine.measured_collectives = {{"reduce", 4, 300, 6}, {"reduce", 4, 700, 4}};
  EXPECT_EQ(at(500), 6); // there is no smaller size to start from
}

} // namespace
} // namespace sendwright
