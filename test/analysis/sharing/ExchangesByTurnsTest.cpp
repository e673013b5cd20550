// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that alternate between patterns: whose turn each execution is.

#include "test/analysis/sharing/FoundExchanges.h"

#include "analysis/sharing/FoundTurns.h"

using namespace sendwright;

TEST(ExchangesByTurns, TwoPatternsByTurnsAreOneExchange) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 9; ++instance)
    if (instance % 3 == 0)
      run.phase(starLists, site, 8);
    else
      run.phase({{3}, {0}, {1}, {2}}, site, 40);
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.instances, 9u);
  ASSERT_EQ(finding.exchange.messages.size(), 11u);
  EXPECT_EQ(finding.exchange.messages[0], (ExchangedMessage{0, 1, 0, 8, 3}));
  EXPECT_EQ(finding.exchange.messages[2], (ExchangedMessage{0, 3, 0, (3 * 8 + 6 * 40) / 9.0, 9}));
  ASSERT_EQ(finding.exchange.patterns.size(), 2u);
  const AlternatingPattern &ring = finding.exchange.patterns[0]; // the most frequent first
  EXPECT_EQ(ring.instances, 6u);
  const std::vector<ExchangedMessage> ofRing{
      {0, 3, 0, 40, 6}, {1, 0, 0, 40, 6}, {2, 1, 0, 40, 6}, {3, 2, 0, 40, 6}};
  EXPECT_EQ(ring.messages, ofRing);
  EXPECT_EQ(finding.exchange.patterns[1].instances, 3u);
  EXPECT_EQ(finding.exchange.patterns[1].messages.size(), 9u);
}

namespace {

/// In a phase of pattern `pattern` each of 20 ranks sends to the two ranks that follow at its
/// distance.
SendLists distantLists(int pattern) {
  SendLists lists(20);
  for (int rank = 0; rank < 20; ++rank)
    lists[rank] = {(rank + pattern + 1) % 20, (rank + pattern + 2) % 20};
  return lists;
}

RunBuilder distantRun(const std::vector<int> &patterns) {
  RunBuilder run(20);
  const int site = run.addSite(10);
  for (const int pattern : patterns)
    run.phase(distantLists(pattern), site);
  return run;
}

std::vector<int> byTurns(int patterns, int times) {
  std::vector<int> turns;
  for (int turn = 0; turn < patterns * times; ++turn)
    turns.push_back(turn % patterns);
  return turns;
}

} // namespace

TEST(ExchangesByTurns, PatternsByTurnsAreSixteenAtMost) {
  const ExchangeFinding finding = findingAt(distantRun(byTurns(16, 2)), 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.patterns.size(), 16u);
  EXPECT_EQ(finding.exchange.messages.size(), 20u * 17);
  expectRefused(distantRun(byTurns(18, 2)), SharingObstacle::FewMessagesRecur);
}

TEST(ExchangesByTurns, WhatDoesNotRecurIsNoTurn) {
  std::vector<int> turns = byTurns(2, 20);
  turns.insert(turns.begin() + 7, {12, 15});
  const ExchangeFinding finding = findingAt(distantRun(turns), 10);
  EXPECT_EQ(refusalText(finding), "");
  EXPECT_EQ(finding.exchange.instances, 42u);
  EXPECT_EQ(finding.exchange.patterns.size(), 2u);
  EXPECT_EQ(finding.exchange.messages.size(), 60u);
  turns = byTurns(2, 4);
  turns.insert(turns.end(), {12, 15});
  expectRefused(distantRun(turns), SharingObstacle::FewMessagesRecur);
}

TEST(ExchangesByTurns, WhatComesOnceIsATurnIfARankWouldTakeItForAnother) {
  RunBuilder run(4);
  const int site = run.addSite(10);
  run.phase({{1, 2, 3}, {3}, {1}, {2}}, site); // the same for rank 0
  for (int instance = 0; instance < 10; ++instance) {
    run.phase(starLists, site);
    run.phase({{3}, {0}, {1}, {2}}, site);
  }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  ASSERT_EQ(finding.exchange.patterns.size(), 3U);
  EXPECT_EQ(finding.exchange.patterns[2].instances, 1U);
  EXPECT_TRUE(findTurns(finding.exchange, {true, true, true}));
  EXPECT_FALSE(findTurns(finding.exchange, {true, true, false}));
  EXPECT_EQ(finding.exchange.messages.size(), 12U);
}

TEST(ExchangesByTurns, NearlyEqualExecutionsAreOfOnePattern) {
  RunBuilder run(20);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 20; ++instance) { // a different message is missing in each
                                                      // execution
    SendLists lists = distantLists(instance % 2 * 8);
    lists[instance].pop_back();
    run.phase(lists, site);
  }
  const ExchangeFinding finding = findingAt(run, 10);
  EXPECT_EQ(refusalText(finding), "");
  ASSERT_EQ(finding.exchange.patterns.size(), 2u);
  EXPECT_EQ(finding.exchange.patterns[0].instances, 10u);
  EXPECT_EQ(finding.exchange.patterns[1].instances, 10u);
  EXPECT_EQ(finding.exchange.patterns[0].messages.size(), 40u);
  EXPECT_EQ(finding.exchange.messages.size(), 80u);
}

TEST(ExchangesByTurns, TurnsThatCloseACircleAreLeft) {
  // In every second execution rank 3 sends only after it has received its messages.
  RunBuilder run(4);
  const int site = run.addSite(10);
  for (int instance = 0; instance < 4; ++instance) {
    run.phase(starLists, site);
    for (int rank = 0; rank < 3; ++rank) {
      run.enter(rank, site);
      run.send(rank, rank + 1, 8, site);
      run.leave(rank, site);
    }
    for (int rank = 1; rank < 4; ++rank)
      run.receive(rank, rank - 1);
    run.enter(3, site);
    run.send(3, 0, 8, site);
    run.leave(3, site);
    run.receive(0, 3);
  }
  expectRefused(run, SharingObstacle::CircularWait,
                "rank 3 waits for its messages before it has sent its own");
}
