// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/Exchanges.h"
#include "test/analysis/run/RunBuilder.h"

#include <gtest/gtest.h>

namespace sendwright {

namespace {

std::vector<Exchange> exchangesOf(const RunBuilder &run) {
  return findExchanges(run.profile, matchMessages(run.profile, {}));
}

std::vector<int> sitesOf(const std::set<Place> &places) {
  std::vector<int> sites;
  for (const Place &place : places)
    sites.push_back(place.site);
  return sites;
}

TEST(Exchanges, BeginAndEndInDifferentFunctionsAreOne) {
  RunBuilder run(2);
  const int receives = run.addSite(10), sends = run.addSite(20), waits = run.addSite(30);
  for (int round = 0; round < 3; ++round) {
    for (int rank : {0, 1})
      run.post(rank, 1 - rank, receives);
    for (int rank : {0, 1})
      run.postSend(rank, 1 - rank, 100, sends);
    for (int rank : {0, 1})
      run.waitAll(rank, waits);
  }
  const std::vector<Exchange> found = exchangesOf(run);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(sitesOf(found[0].receives), std::vector<int>{receives});
  EXPECT_EQ(sitesOf(found[0].sends), std::vector<int>{sends});
  EXPECT_EQ(sitesOf(found[0].completions), std::vector<int>{waits});
  EXPECT_EQ(found[0].messages, 6u);
  EXPECT_EQ(found[0].bytes, 600u);
}

TEST(Exchanges, OneFunctionThatWaitsForAllJoinsNothing) {
  RunBuilder run(2);
  const int sites[] = {run.addSite(10), run.addSite(20)}, waits = run.addSite(30);
  for (int site : sites) {
    run.post(1, 0, site);
    run.postSend(0, 1, 8, site);
    run.waitAll(0, waits);
    run.waitAll(1, waits);
  }
  const std::vector<Exchange> found = exchangesOf(run);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(sitesOf(found[0].completions), std::vector<int>{waits});
  EXPECT_EQ(sitesOf(found[1].completions), std::vector<int>{waits});
}

TEST(Exchanges, PlacesThatShareAPartnerAreOne) {
  RunBuilder run(3);
  const int lower = run.addSite(10), upper = run.addSite(20), receive = run.addSite(30);
  run.send(0, 2, 8, lower);
  run.send(1, 2, 8, upper);
  run.receive(2, 0, receive);
  run.receive(2, 1, receive);
  const std::vector<Exchange> found = exchangesOf(run);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(sitesOf(found[0].sends), (std::vector<int>{lower, upper}));
  EXPECT_TRUE(found[0].completions.empty());
}

TEST(Exchanges, CallsInNoLoopAreKnownByTheirCallers) {
  RunBuilder run(2);
  run.profile.ranks[0].callers = {"app+0x10"};
  run.profile.ranks[1].callers = {"app+0x30", "app+0x20"};
  run.send(0, 1, 8, noSite);
  run.receive(1, 0);
  run.profile.ranks[0].events.back().address = 1;
  run.profile.ranks[1].events.back().address = 2;
  const std::vector<Exchange> found = exchangesOf(run);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].sends.begin()->caller, "app+0x10");
  EXPECT_EQ(found[0].receives.begin()->caller, "app+0x20");
}

TEST(Exchanges, MessagesThatNobodyReceivedAreNone) {
  RunBuilder run(2);
  run.send(0, 1, 8, run.addSite(10));
  EXPECT_TRUE(exchangesOf(run).empty());
}

} // namespace
} // namespace sendwright
