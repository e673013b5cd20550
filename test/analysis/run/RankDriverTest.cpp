// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rank has a turn when, and which never has another turn.

#include "analysis/run/RankDriver.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {
namespace {

/// Ranks with a number of steps each. Some steps need steps of another rank before them.
struct PlayedRun {
  struct Need {
    std::size_t rank, step, other, steps;
  };
  std::vector<std::size_t> steps;
  std::vector<Need> needs;
  std::vector<std::size_t> done = std::vector<std::size_t>(steps.size());
  std::string log = {}; ///< the rank of each step

  const Need *unmet(std::size_t rank) const {
    for (const Need &need : needs)
      if (need.rank == rank && need.step == done[rank] && done[need.other] < need.steps)
        return &need;
    return nullptr;
  }

  RankProgress step(std::size_t rank) {
    if (done[rank] == steps[rank])
      return RankProgress::Ended;
    if (unmet(rank))
      return RankProgress::Blocked;
    ++done[rank];
    log += std::to_string(rank);
    return RankProgress::Advanced;
  }

  /// Every need is awaited by its mark.
  void follow(RankDriver &driver) {
    driver.run(
        [&](std::size_t rank) {
          const RankProgress progress = step(rank);
          if (progress == RankProgress::Blocked)
            driver.wakeWhenReached(unmet(rank)->other, unmet(rank)->steps, rank);
          return progress;
        },
        [&](std::size_t rank) { return done[rank]; });
  }
};

TEST(RankDriver, RanksThatWaitForNothingEndOneAfterTheOther) {
  PlayedRun run{{2, 1, 2}, {}};
  RankDriver driver(3);
  run.follow(driver);
  EXPECT_EQ(run.log, "00122");
  EXPECT_EQ(driver.firstStuck(), std::nullopt);
}

TEST(RankDriver, ARankIsWokenWhenAnotherHasReachedItsMark) {
  PlayedRun run{{2, 3}, {{0, 1, 1, 2}}};
  RankDriver driver(2);
  run.follow(driver);
  EXPECT_EQ(run.log, "01110");
  EXPECT_TRUE(driver.hasEnded(0));
}

TEST(RankDriver, ARankIsNotWokenBeforeTheMark) {
  PlayedRun run{{1, 3}, {{0, 0, 1, 3}, {1, 1, 0, 1}}};
  RankDriver driver(2);
  std::size_t tries = 0;
  driver.run(
      [&](std::size_t rank) {
        tries += rank == 0;
        const RankProgress progress = run.step(rank);
        if (progress == RankProgress::Blocked)
          driver.wakeWhenReached(run.unmet(rank)->other, run.unmet(rank)->steps, rank);
        return progress;
      },
      [&](std::size_t rank) { return run.done[rank]; });
  EXPECT_EQ(tries, 1U);
  EXPECT_EQ(run.log, "1");
}

TEST(RankDriver, RanksThatWaitInACircleAreStuckAndTheOthersEnd) {
  PlayedRun run{{1, 2, 2}, {{1, 1, 2, 2}, {2, 1, 1, 2}}};
  RankDriver driver(3);
  run.follow(driver);
  EXPECT_EQ(run.log, "012");
  EXPECT_EQ(driver.firstStuck(), 1U);
  EXPECT_TRUE(driver.hasEnded(0));
  EXPECT_FALSE(driver.hasEnded(2));
}

TEST(RankDriver, ARankThatWaitsForItselfIsStuck) {
  PlayedRun run{{2}, {{0, 1, 0, 2}}};
  RankDriver driver(1);
  run.follow(driver);
  EXPECT_EQ(driver.firstStuck(), 0U);
}

TEST(RankDriver, LowerMarksAreServedFirstAndEqualOnesAsTheyCame) {
  PlayedRun run{{1, 1, 1, 3}, {{0, 0, 3, 2}, {1, 0, 3, 1}, {2, 0, 3, 2}}};
  RankDriver driver(4);
  run.follow(driver);
  EXPECT_EQ(run.log, "333102");
}

/// Rank 0 wakes the others in turn, which wait for it.
std::string wakes(TurnOrder order) {
  RankDriver driver(4, order);
  std::string log;
  bool open = false;
  driver.run([&](std::size_t rank) {
    if (rank == 3 && !open) { // the last of the first turns
      open = true;
      driver.wake(1);
      driver.wake(0);
      driver.wake(2);
    }
    if (!open)
      return RankProgress::Blocked;
    log += std::to_string(rank);
    return RankProgress::Ended;
  });
  return log;
}

TEST(RankDriver, TheFirstWokenGoesFirst) { EXPECT_EQ(wakes(TurnOrder::FirstWoken), "3102"); }

TEST(RankDriver, TheLastWokenGoesFirst) { EXPECT_EQ(wakes(TurnOrder::LastWoken), "3201"); }

TEST(RankDriver, ARankThatIsWokenTwiceHasOneTurn) {
  RankDriver driver(2);
  std::string log;
  driver.run([&](std::size_t rank) {
    log += std::to_string(rank);
    if (rank == 1 && log.size() == 2) {
      driver.wake(0);
      driver.wake(0);
    }
    return RankProgress::Blocked;
  });
  EXPECT_EQ(log, "010");
}

TEST(RankDriver, ARankThatHasEndedHasNoTurn) {
  RankDriver driver(2);
  std::string log;
  driver.run([&](std::size_t rank) {
    log += std::to_string(rank);
    if (rank == 1)
      driver.wake(0);
    return rank == 0 ? RankProgress::Ended : RankProgress::Blocked;
  });
  EXPECT_EQ(log, "01");
}

TEST(RankDriver, TurnsOfLimitedLengthAlternate) {
  PlayedRun run{{3, 3}, {}};
  RankDriver driver(2, TurnOrder::FirstWoken, 2);
  run.follow(driver);
  EXPECT_EQ(run.log, "001101");
  EXPECT_EQ(driver.firstStuck(), std::nullopt);
}

TEST(RankDriver, RunGoesOnWithRanksThatAreWokenAfterIt) {
  PlayedRun run{{1, 1}, {{0, 0, 1, 1}}};
  RankDriver driver(2);
  driver.run([&](std::size_t rank) { return run.step(rank); });
  EXPECT_EQ(run.log, "1");
  EXPECT_EQ(driver.firstStuck(), 0U);
  driver.wake(0);
  driver.run([&](std::size_t rank) { return run.step(rank); });
  EXPECT_EQ(run.log, "10");
  EXPECT_EQ(driver.firstStuck(), std::nullopt);
}

TEST(RankDriver, ATurnReturnsItsSteps) {
  PlayedRun run{{3}, {}};
  RankDriver driver(1);
  const auto step = [&](std::size_t rank) { return run.step(rank); };
  EXPECT_EQ(driver.turn(0, step, 2), 2U);
  EXPECT_FALSE(driver.hasEnded(0));
  EXPECT_EQ(driver.turn(0, step, 2), 1U);
  EXPECT_TRUE(driver.hasEnded(0));
}

TEST(RankDriver, NoRanksAreNeverStuck) {
  RankDriver driver(0);
  driver.run([](std::size_t) { return RankProgress::Blocked; });
  EXPECT_EQ(driver.firstStuck(), std::nullopt);
}

} // namespace
} // namespace sendwright
