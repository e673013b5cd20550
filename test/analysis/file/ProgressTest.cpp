// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person is told about work that takes long, by a clock that the test sets.

#include "analysis/file/Progress.h"
#include "analysis/file/Activity.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

ProgressState counted(std::uint64_t done, std::uint64_t total) {
  return {"app.prof: planning", "calls", done, total, false, false, 1};
}

TEST(ProgressText, ShortWorkHasNoLine) {
  ProgressText text(2);
  EXPECT_EQ(text.at(100, counted(1, 10)), "");
  EXPECT_EQ(text.at(101.9, counted(9, 10)), "");
  EXPECT_EQ(text.at(102.5, std::nullopt), "");
}

TEST(ProgressText, NamesRateAndRemainingTime) {
  ProgressText text(2);
  text.at(100, counted(0, 1000));
  EXPECT_EQ(text.at(104, counted(200, 1000)),
            "app.prof: planning, 200 of 1000 calls, 50/s, 16 s left");
  EXPECT_EQ(text.at(500, counted(400, 40'000)),
            "app.prof: planning, 400 of 40000 calls, 1/s, 11 h 0 min left");
}

TEST(ProgressText, RateBeginsWithTheStage) {
  ProgressText text(2);
  text.at(0, counted(0, 10));
  ProgressState next = counted(0, 60);
  next.stage = 2;
  EXPECT_EQ(text.at(100, next), "app.prof: planning, 0 of 60 calls");
  next.done = 20;
  EXPECT_EQ(text.at(110, next), "app.prof: planning, 20 of 60 calls, 2/s, 20 s left");
}

TEST(ProgressText, SaysWhatIsNotKnown) {
  ProgressText text(2);
  ProgressState state{"app.prof: reading", "", 0, 0, false, false, 0};
  text.at(0, state);
  EXPECT_EQ(text.at(75, state), "app.prof: reading, 1 min 15 s");
  state = {"", "replays", 5, 30, true, 0};
  EXPECT_EQ(text.at(100, state), "5 of up to 30 replays, 0.05/s, up to 8 min 20 s left");
  state.activity = "\x1b[2J: reading";
  EXPECT_EQ(text.at(100, state).substr(0, 18), "\\x1b[2J: reading, ");
}

TEST(ProgressText, StepsHaveTheTimeSinceTheFirst) {
  ProgressText text(2);
  ProgressState steps{"app.prof: planning", "steps", 0, 9, false, true, 1};
  EXPECT_EQ(text.at(0, steps), "");
  EXPECT_EQ(text.at(3, steps), "app.prof: planning, step 1 of 9, 3 s");
  EXPECT_EQ(text.at(4, {{"app.prof: planning", "calls", 0, 10, false, false, 2}}),
            "app.prof: planning, 0 of 10 calls");
  steps.done = 3;
  EXPECT_EQ(text.at(6, steps), "app.prof: planning, step 4 of 9, 6 s, about 12 s left");
  steps.done = 9;
  EXPECT_EQ(text.at(7, steps), "app.prof: planning, step 9 of 9, 7 s");
}

/// The only test that looks: from then on the process keeps track.
TEST(Progress, TellsTheInnermostActivityAndTheOutermostNumbers) {
  const Activity before("reading", "unwatched.prof");
  Progress::watch();
  EXPECT_FALSE(Progress::current());
  const Activity outer("planning", "app.prof");
  Progress steps("steps", 9, Progress::Total::Steps);
  EXPECT_TRUE(Progress::current()->isSteps);
  Progress replays("replays", 7, Progress::Total::AtMost);
  replays.advance();
  std::uint64_t stage = 0;
  {
    const Activity inner("simulating", "app.prof");
    Progress calls("calls", 100);
    calls.advance(50);
    const auto state = Progress::current();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->activity, "app.prof: simulating");
    EXPECT_EQ(state->unit, "replays");
    EXPECT_EQ(state->done, 1U);
    EXPECT_EQ(state->total, 7U);
    EXPECT_TRUE(state->isAtMost);
    stage = state->stage;
  }
  EXPECT_EQ(Progress::current()->activity, "app.prof: planning");
  EXPECT_EQ(Progress::current()->stage, stage);
}

} // namespace
} // namespace sendwright
