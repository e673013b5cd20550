// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/ExpectedInstances.h"

#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sendwright;

namespace {

using Counts = ExpectedInstances::Counts;

/// Makes collective calls with `steps[i % size]` instances of one exchange before each. Returns one
/// letter for each call: 'm' if members met, 'k' if each kept its promise, '!' if it was another
/// number than promised.
std::string calls(ExpectedInstances &expected, std::uint64_t &count,
                  const std::vector<std::uint64_t> &steps, std::size_t number) {
  std::string all;
  for (std::size_t call = 0; call < number; ++call) {
    count += steps[call % steps.size()];
    if (expected.meetsNext()) {
      expected.agree({count}, true);
      all += 'm';
    } else {
      all += expected.beforeNext(0) == count ? 'k' : '!';
      count = expected.beforeNext(0);
      expected.pass();
    }
  }
  return all;
}

TEST(ExpectedInstances, MembersMeetUntilTheNumbersRepeat) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, {1}, 20), "mmmmmmmkkkkmkkkkkkkk");
}

TEST(ExpectedInstances, RunsWithoutMeetingsGetLongerUpToALimit) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  const std::string all = calls(expected, count, {1}, 400);
  EXPECT_EQ(all.find(std::string(33, 'k')), std::string::npos);
  EXPECT_EQ(all.substr(all.size() - 66).find('m'), all.substr(all.size() - 33).find('m'));
  EXPECT_EQ(all.find('!'), std::string::npos);
}

TEST(ExpectedInstances, AnExchangeAndTwoCallsAreOnePeriod) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, {1, 0}, 16), "mmmmmmmmkkkkmkkk");
}

/// What one member has seen before anything is shared.
std::vector<Counts> seen(const std::vector<std::uint64_t> &steps, std::size_t calls) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  for (std::size_t call = 0; call < calls; ++call)
    expected.agree({count += steps[call % steps.size()]}, true);
  return expected.repeated();
}

TEST(ExpectedInstances, StepsThatOneMemberHasSeenNeedOneMeeting) {
  for (const std::vector<std::uint64_t> &steps :
       std::vector<std::vector<std::uint64_t>>{{1}, {1, 0}, {0, 2, 1}, {3, 0, 5, 1, 1}}) {
    ExpectedInstances expected(1);
    expected.begin(seen(steps, 12 * steps.size()));
    std::uint64_t count = 0;
    EXPECT_EQ(calls(expected, count, steps, 14), "mkkkkmkkkkkkkk");
  }
}

TEST(ExpectedInstances, StepsThatOneMemberHasSeenHoldForNobodyIfTheFirstIsAnother) {
  ExpectedInstances expected(1);
  expected.begin(seen({1, 0}, 12));
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, {2, 0}, 12), "mmmmmmmkkkkm");
}

TEST(ExpectedInstances, AMemberOffersNoStepsThatDoNotRepeatOrAreLong) {
  EXPECT_TRUE(seen({1, 2, 3, 4, 5, 6, 7, 8, 9}, 9).empty());
  EXPECT_TRUE(seen({1000, 0}, 20).empty());
  EXPECT_EQ(seen({1, 0}, 21), (std::vector<Counts>{{0}, {1}}));
}

/// Makes collective calls with these steps. Each rank executes all, whatever is expected: at a
/// meeting it says what was made since the last one. One letter for each call, as above; and 'd'
/// for a meeting where another number had been expected before.
std::string callsThatAreTold(ExpectedInstances &expected, const std::vector<std::uint64_t> &steps) {
  std::string all;
  std::uint64_t count = 0; // instances
  std::vector<Counts> made;
  bool deviates = false;
  for (const std::uint64_t step : steps) {
    made.push_back({step});
    if (!expected.meetsNext()) {
      const std::uint64_t promised = expected.beforeNext(0) - count;
      all += promised == step ? 'k' : '!';
      deviates |= promised != step;
      count += promised;
      expected.pass();
      continue;
    }
    count += step;
    if (deviates)
      expected.agree({count}, made);
    else
      expected.agree({count}, true);
    all += deviates ? 'd' : 'm';
    deviates = false;
    made.clear();
  }
  return all;
}

/// An instance and two calls, `number` times, and a third call each time after `every`.
std::vector<std::uint64_t> checkedSometimes(std::size_t number, std::size_t every) {
  std::vector<std::uint64_t> steps;
  for (std::size_t iteration = 1; iteration <= number; ++iteration) {
    steps.insert(steps.end(), {1, 0});
    if (iteration % every == 0)
      steps.push_back(0);
  }
  return steps;
}

TEST(ExpectedInstances, AFurtherCallNowAndThenIsExpectedOnceItHasRepeated) {
  for (const std::size_t every : {3, 7, 20, 50}) {
    ExpectedInstances expected(1);
    const std::string all = callsThatAreTold(expected, checkedSometimes(10 * every, every));
    const std::string late = all.substr(all.size() / 2);
    EXPECT_EQ(late.find('!'), std::string::npos) << all;
    EXPECT_EQ(late.find('d'), std::string::npos) << all;
    EXPECT_LE(std::ranges::count(late, 'm'), 3 + static_cast<int>(late.size() / 32)) << all;
  }
}

TEST(ExpectedInstances, AfterAnUnexpectedCallMembersMeetAFewTimes) {
  ExpectedInstances expected(1);
  std::vector<std::uint64_t> steps = checkedSometimes(14, 100);
  steps.push_back(0);
  const std::vector<std::uint64_t> more = checkedSometimes(14, 100);
  steps.insert(steps.end(), more.begin(), more.end());
  EXPECT_EQ(callsThatAreTold(expected, steps),
            "mmmmmmmmkkkkmkkkkkkkkmkkkkkk!!!!!!!!!!dkkkkmkkkkkkkkmkkkk");
}

TEST(ExpectedInstances, WhatMembersMadeDifferentlyHoldsForNobody) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  calls(expected, count, {1}, 9);
  expected.pass();
  expected.agree({count += 2}, std::vector<Counts>());
  EXPECT_EQ(calls(expected, count, {1}, 9), "mmmmmmmkk");
}

TEST(ExpectedInstances, CyclesWithSeveralInstancesAreOnePeriod) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  const std::string all = calls(expected, count, {3, 0, 5, 1, 1}, 100);
  EXPECT_EQ(all.substr(0, 11), "mmmmmmmmmmm");
  EXPECT_EQ(all.find('!'), std::string::npos);
  EXPECT_NE(all.find('k'), std::string::npos);
}

/// What comes next is unexpected, and not shared before the next meeting.
TEST(ExpectedInstances, RunsWithoutInstancesStayShort) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, {0}, 39), "mmmmmmmkkkkmkkmkkmkkmkkmkkmkkmkkmkkmkkm");
}

TEST(ExpectedInstances, AnyNumberMayPrecedeAMeeting) {
  ExpectedInstances expected(2);
  EXPECT_TRUE(expected.meetsNext());
  EXPECT_EQ(expected.beforeNext(1), ExpectedInstances::anyNumber);
}

TEST(ExpectedInstances, NumbersOfSeveralExchangesRepeatTogether) {
  ExpectedInstances expected(2);
  Counts counts{0, 0};
  int call = 0;
  for (; call < 40 && expected.meetsNext(); ++call) {
    counts[0] += 2;
    counts[1] += call % 3 == 0 ? 1 : 0;
    expected.agree(counts, true);
  }
  ASSERT_EQ(call, 9);
  EXPECT_EQ(expected.beforeNext(0), counts[0] + 2);
  EXPECT_EQ(expected.beforeNext(1), counts[1] + 1);
}

TEST(ExpectedInstances, AMemberThatLeftThePathMakesAllMeet) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  calls(expected, count, {1}, 11);
  ASSERT_TRUE(expected.meetsNext());
  expected.agree({++count}, false);
  EXPECT_EQ(calls(expected, count, {1}, 9), "mmmmmmmkk");
}

TEST(ExpectedInstances, AnotherNumberAtAMeetingEndsTheRun) {
  ExpectedInstances expected(1);
  std::uint64_t count = 0;
  calls(expected, count, {1}, 11);
  ASSERT_TRUE(expected.meetsNext());
  expected.agree({count += 2}, true);
  EXPECT_TRUE(expected.meetsNext());
}

RecordedSteps recordedSteps(const std::vector<std::uint64_t> &steps) {
  RecordedSteps recorded;
  for (const std::uint64_t step : steps)
    EXPECT_TRUE(recorded.add({step}));
  return recorded;
}

const std::vector<std::uint64_t> irregular = {0, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

TEST(ExpectedInstances, StepsOfTheRecordedRunAreExpectedFromTheFirstCallOn) {
  const RecordedSteps recorded = recordedSteps(irregular);
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, irregular, 18), "mkkkkmkkkkkkkkmkkm");
}

TEST(ExpectedInstances, AfterTheRecordedRunNumbersThatRepeatAreExpected) {
  const RecordedSteps recorded = recordedSteps({2, 2, 2, 2, 2, 2, 2, 2, 2});
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  const std::string all = calls(expected, count, {2}, 40);
  EXPECT_EQ(all.substr(0, 10), "mkkkkmkkkm");
  EXPECT_EQ(all.find("mm"), std::string::npos);
}

TEST(ExpectedInstances, ALongerRunMeetsOnceWhereTheRecordedOneEnded) {
  std::vector<std::uint64_t> steps(100, 1);
  steps.push_back(0);
  const RecordedSteps recorded = recordedSteps(steps);
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  const std::string all = calls(expected, count, {1}, 400);
  EXPECT_EQ(all.find('!'), std::string::npos) << all;
  EXPECT_EQ(all.find("mm"), std::string::npos) << all;
  EXPECT_LT(std::ranges::count(all, 'm'), 30) << all;
}

TEST(ExpectedInstances, AnyNumberMayBeginWhereTheRecordedRunHadMany) {
  const RecordedSteps recorded = recordedSteps({0, 3, 100, 3, 3});
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, {0, 3, 100, 3, 3}, 5), "mkmkk");
}

TEST(ExpectedInstances, ALongerRunThanTheRecordedOneMeetsWhereThatEnded) {
  std::vector<std::uint64_t> steps;
  for (int iteration = 0; iteration < 30; ++iteration)
    steps.insert(steps.end(), {1, 0});
  steps.insert(steps.end(), {0, 3, 0});
  const RecordedSteps recorded = recordedSteps(steps);
  for (const bool isLonger : {false, true}) {
    ExpectedInstances expected(1, &recorded);
    std::uint64_t count = 0;
    const std::string all =
        isLonger ? calls(expected, count, {1, 0}, 200) : calls(expected, count, steps, 63);
    EXPECT_EQ(all.find('!'), std::string::npos) << all;
    EXPECT_EQ(all[60], 'm') << all;
    EXPECT_LT(std::ranges::count(all, 'm'), isLonger ? 20 : 8) << all;
  }
}

TEST(ExpectedInstances, ARunThatBeginsOtherwiseFindsItsPlaceInTheRecordedRun) {
  const RecordedSteps recorded = recordedSteps(irregular);
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  const std::vector<std::uint64_t> later(irregular.begin() + 2, irregular.end());
  EXPECT_EQ(calls(expected, count, later, 15), "mmmmkkkkmkkkkkk");
}

TEST(ExpectedInstances, AMemberThatLeavesTheRecordedPathMakesAllMeetUntilItIsFoundAgain) {
  const RecordedSteps recorded = recordedSteps(irregular);
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  EXPECT_EQ(calls(expected, count, irregular, 5), "mkkkk");
  expected.agree({count += 5}, false);
  const std::vector<std::uint64_t> rest(irregular.begin() + 6, irregular.end());
  const std::string all = calls(expected, count, rest, rest.size());
  EXPECT_EQ(all, "mmmmkkkkmkk");
}

TEST(ExpectedInstances, CallsThatWereLeftOutCountInTheRecordedRun) {
  const RecordedSteps recorded = recordedSteps(irregular);
  ExpectedInstances expected(1, &recorded);
  expected.agree({0}, true);
  expected.leaveOut();
  expected.leaveOut();
  EXPECT_EQ(expected.beforeNext(0), irregular[3]);
}

TEST(ExpectedInstances, WhereTheRecordedRunEndsAmongCallsThatWereLeftOutMembersMeet) {
  const RecordedSteps recorded = recordedSteps({0, 3, 1, 4, 1});
  for (int leftOut = 0; leftOut < 6; ++leftOut) {
    ExpectedInstances expected(1, &recorded);
    expected.agree({0}, true);
    for (int call = 0; call < leftOut; ++call)
      expected.leaveOut();
    for (int call = 1 + leftOut; call < 5; ++call) {
      ASSERT_FALSE(expected.meetsNext()) << leftOut;
      expected.pass();
    }
    EXPECT_TRUE(expected.meetsNext()) << leftOut;
  }
}

TEST(ExpectedInstances, RecordedStepsOfAnotherProgramAreForgotten) {
  const RecordedSteps recorded = recordedSteps({1, 1, 1, 1, 7, 1, 1, 1, 1, 8, 1, 1, 1, 1, 1, 1, 1});
  ExpectedInstances expected(1, &recorded);
  std::uint64_t count = 0;
  int wrong = 0;
  bool asExpected = true;
  for (int call = 0; call < 400; ++call) {
    count += call % 29 == 0 ? 2 : 1; // no period that could be found
    if (expected.meetsNext()) {
      expected.agree({count}, asExpected);
      asExpected = true;
      continue;
    }
    wrong += expected.beforeNext(0) == count ? 0 : 1;
    asExpected = asExpected && expected.beforeNext(0) == count;
    count = expected.beforeNext(0);
    expected.pass();
  }
  EXPECT_LE(wrong, 400 / 29 + 6); // without the recorded run: one in 29
}

TEST(RecordedSteps, AStepWithTooManyInstancesEndsThem) {
  RecordedSteps recorded;
  EXPECT_TRUE(recorded.add({RecordedSteps::mostInstances - 1, 1}));
  EXPECT_FALSE(recorded.add({RecordedSteps::mostInstances, 1}));
  EXPECT_EQ(recorded.size(), 1u);
}

TEST(RecordedSteps, AreReadAsWritten) {
  const RecordedSteps recorded = recordedSteps(irregular);
  ByteWriter out;
  encodeSteps(out, recorded);
  const std::string bytes = out.take();
  ByteReader in(bytes, "steps");
  EXPECT_EQ(decodeSteps(in, 1), recorded);
  ByteReader other(bytes, "steps");
  EXPECT_THROW(decodeSteps(other, 2), FormatError);
}

} // namespace
