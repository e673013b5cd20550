// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While they only watch, ranks meet before few collective calls; more often while some rank wants
// to share in vain.

#include "analysis/sharing/WatchMeetings.h"

#include <gtest/gtest.h>

#include <vector>

namespace sendwright {

namespace {

/// The calls, by number from 1 on, before which ranks meet. Up to `inVainUntil` they want to share,
/// and up to `soonUntil` they may `wanted` calls later.
std::vector<int> watchedCalls(int calls, int inVainUntil = 0, int soonUntil = 0,
                              std::uint64_t wanted = WatchMeetings::soon) {
  WatchMeetings meetings;
  std::vector<int> met;
  for (int call = 1; call <= calls; ++call)
    if (const auto begun = static_cast<std::uint64_t>(call - 1); meetings.meetsNext(begun)) {
      meetings.meet(begun, call <= inVainUntil,
                    call > inVainUntil && call <= soonUntil ? wanted : 0);
      met.push_back(call);
    }
  return met;
}

} // namespace

TEST(WatchMeetings, AreFewerTheLongerAProgramRuns) {
  EXPECT_EQ(watchedCalls(1000), (std::vector<int>{17, 65, 129, 257, 513}));
}

TEST(WatchMeetings, AreSoonAgainAtAnotherCallOfAnIterationIfMessagesAreUnderWay) {
  EXPECT_EQ(watchedCalls(100, 22), (std::vector<int>{17, 19, 22, 26, 65}));
}

TEST(WatchMeetings, AreSoonIfARankMayWantToShareSoon) {
  EXPECT_EQ(watchedCalls(200, 0, 30), (std::vector<int>{17, 25, 33, 65, 129}));
  EXPECT_EQ(watchedCalls(120, 0, 1000), (std::vector<int>{17, 25, 33, 41, 57, 89}));
  EXPECT_LT(watchedCalls(100000, 0, 100000).size(), 20U);
}

TEST(WatchMeetings, AreWhenARankMayWantToShare) {
  EXPECT_EQ(watchedCalls(200, 0, 20, 15), (std::vector<int>{17, 32, 65, 129}));
  EXPECT_EQ(watchedCalls(70, 0, 20, 1), (std::vector<int>{17, 18, 19, 20, 22, 65}));
  EXPECT_EQ(watchedCalls(130, 0, 20, 1000), (std::vector<int>{17, 65, 129}));
}

TEST(WatchMeetings, DoNotGoOnSoForEver) {
  EXPECT_LT(watchedCalls(60, 1000).size(), 18U);
  EXPECT_LT(watchedCalls(1000, 1000).size(), 36U); // a receive may be posted all the time
}

TEST(WatchMeetings, WaitAsLongAgainWhenRanksWatchAgain) {
  WatchMeetings meetings;
  meetings.restart(40);
  EXPECT_FALSE(meetings.meetsNext(79));
  EXPECT_TRUE(meetings.meetsNext(80));
}

} // namespace sendwright
