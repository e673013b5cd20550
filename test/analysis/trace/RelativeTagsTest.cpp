// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/RelativeTags.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/ProfileCodec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace sendwright {
namespace {

Event callOf(MpiFunctionId function, int peer, int tag, std::uint64_t address, bool relative) {
  Event event;
  event.function = function;
  event.peer = peer;
  event.tag = tag;
  event.address = address;
  event.relativeTag = relative;
  return event;
}

/// Two ranks; the first sends to the second in `rounds` rounds, one tag further each time. The
/// first send of a place counts from 0.
Profile numberedRun(std::uint64_t rounds) {
  Profile profile;
  profile.program = "app";
  profile.ranks.resize(2);
  for (RankProfile &rank : profile.ranks) {
    rank.communicators.push_back({{0, 1}, 0, false});
    rank.callers = {"app+0x10"};
    rank.sequence.rules.emplace_back();
  }
  RankProfile &sender = profile.ranks[0], &receiver = profile.ranks[1];
  sender.events = {callOf(MpiFunctionId::Send, 1, 1, 1, true)};
  sender.statistics = {{rounds, 3.0 * static_cast<double>(rounds - 2) + 101, 1, 100,
                        0.5 * static_cast<double>(rounds)}};
  sender.sequence.rules[0] = {{0, false, rounds}};
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    receiver.events.push_back(callOf(MpiFunctionId::Recv, 0, static_cast<int>(round), 1, false));
    receiver.sequence.rules[0].push_back({static_cast<std::uint32_t>(round - 1), false, 1});
  }
  return profile;
}

std::vector<int> tagsOf(const RankProfile &rank) {
  std::vector<int> tags;
  rank.sequence.forEach([&](std::uint32_t number) {
    tags.push_back(rank.events[number].tag);
    return true;
  });
  return tags;
}

TEST(RelativeTags, CountFromTheLastAtTheirPlace) {
  Profile profile = numberedRun(4);
  RankProfile &rank = profile.ranks[0];
  rank.callers.push_back("app+0x20");
  rank.events.push_back(callOf(MpiFunctionId::Send, 1, -3, 1, true));
  rank.events.push_back(callOf(MpiFunctionId::Send, 1, 7, 2, true));
  rank.events.push_back(callOf(MpiFunctionId::Send, 1, 5, 1, false));
  rank.statistics.clear();
  rank.sequence.rules[0] = {
      {0, false, 4}, {2, false, 2}, {3, false, 1}, {1, false, 1}, {0, false, 1}};
  makeTagsAbsolute(profile, "f", 100);
  EXPECT_EQ(tagsOf(rank), (std::vector<int>{1, 2, 3, 4, 7, 14, 5, 1, 2}));
  EXPECT_EQ(rank.events.size(), 8u); // tag 1 has two: it was reached in two ways
  EXPECT_TRUE(std::ranges::none_of(rank.events, &Event::relativeTag));
  EXPECT_FALSE(rank.truncated);
}

TEST(RelativeTags, OfAReceiveInSendrecvCountFromTheSend) {
  Profile profile = numberedRun(2);
  Event event = callOf(MpiFunctionId::Sendrecv, 1, 10, 1, true);
  event.receivePeer = 1;
  event.receiveTag = -2;
  profile.ranks[0].events = {event};
  makeTagsAbsolute(profile, "f", 100);
  EXPECT_EQ(tagsOf(profile.ranks[0]), (std::vector<int>{10, 20}));
  EXPECT_EQ(profile.ranks[0].events[1].receiveTag, 18);
}

TEST(RelativeTags, EachEventTakesItsPartOfTheTime) {
  Profile profile = numberedRun(10);
  makeTagsAbsolute(profile, "f", 100);
  const RankProfile &rank = profile.ranks[0];
  ASSERT_EQ(rank.statistics.size(), 10u);
  for (const EventStatistics &statistics : rank.statistics) {
    EXPECT_EQ(statistics.count, 1u);
    EXPECT_DOUBLE_EQ(statistics.before, 3); // neither the longest nor the shortest
    EXPECT_DOUBLE_EQ(statistics.inside, 0.5);
  }
}

TEST(RelativeTags, OfALongRunAreKeptInTheFirstPart) {
  Profile profile = numberedRun(1000);
  makeTagsAbsolute(profile, "f", 100);
  const RankProfile &rank = profile.ranks[0];
  EXPECT_TRUE(rank.truncated);
  EXPECT_EQ(rank.sequence.length(), 100u);
  EXPECT_FALSE(profile.ranks[1].truncated); // it has no relative tags
  std::uint64_t count = 0;
  for (const EventStatistics &statistics : rank.statistics)
    count += statistics.count;
  EXPECT_EQ(count, 1000u);
}

TEST(RelativeTags, InACycleAreKeptToTheEnd) {
  Profile profile = numberedRun(2);
  RankProfile &rank = profile.ranks[0];
  rank.events.push_back(callOf(MpiFunctionId::Send, 1, -9, 1, true));
  rank.statistics.clear();
  rank.sequence.rules[0] = {{0, false, 1}, {1, true, 1000}};
  rank.sequence.rules.push_back({{0, false, 9}, {1, false, 1}});
  makeTagsAbsolute(profile, "f", 100);
  EXPECT_FALSE(rank.truncated);
  EXPECT_EQ(rank.events.size(), 11u); // tag 1 has two: at first, and at the end of the cycle
  EXPECT_EQ(rank.sequence.length(), 10001u);
}

TEST(RelativeTags, BeyondThoseOfMpiAreRefused) {
  Profile profile = numberedRun(2);
  profile.ranks[0].events[0].tag = -2;
  EXPECT_THROW(makeTagsAbsolute(profile, "f", 100), FormatError);
  profile.ranks[0].events[0].tag = 2147483647;
  EXPECT_THROW(makeTagsAbsolute(profile, "f", 100), FormatError);
}

TEST(RelativeTags, AreWrittenAndRead) {
  const std::string file = testing::TempDir() + "relative-tags.prof";
  writeProfile(numberedRun(5), file);
  const Profile profile = readProfile(file);
  EXPECT_EQ(tagsOf(profile.ranks[0]), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(tagsOf(profile.ranks[1]), (std::vector<int>{1, 2, 3, 4, 5}));
  std::filesystem::remove(file);
}

} // namespace
} // namespace sendwright
