// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/QuietMeetings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace sendwright;

namespace {

/// One letter for each of `number` calls: 'm' if the ranks meet before it.
std::string calls(QuietMeetings &meetings, bool manyCalls, std::size_t number) {
  std::string all;
  for (std::size_t call = 0; call < number; ++call) {
    all += meetings.meetsNext() ? 'm' : '-';
    if (meetings.meetsNext())
      meetings.meet(manyCalls);
    else
      meetings.pass();
  }
  return all;
}

TEST(QuietMeetings, RanksMeetBeforeTheFirstCallsOfAProgram) {
  QuietMeetings meetings;
  EXPECT_EQ(calls(meetings, false, 10), "mmmmmmmmmm");
  EXPECT_TRUE(meetings.meetsNext());
}

TEST(QuietMeetings, MeetingsAreRareOnceCallsComeOftenBetweenMessages) {
  QuietMeetings meetings;
  const std::string all = calls(meetings, true, 1000);
  EXPECT_EQ(all.substr(0, 37), "m" + std::string(11, '-') + "m" + std::string(23, '-') + "m");
  EXPECT_LE(std::ranges::count(all, 'm'), 18);
  EXPECT_GE(std::ranges::count(all, 'm'), 15);
}

TEST(QuietMeetings, MeetingsAreRareInAProgramOfCollectiveCalls) {
  QuietMeetings meetings;
  const std::string all = calls(meetings, false, 1000);
  EXPECT_LE(std::ranges::count(all, 'm'), 36);
}

} // namespace
