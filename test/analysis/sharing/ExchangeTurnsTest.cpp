// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a rank decides to which exchange an execution of a loop belongs.

#include "analysis/sharing/ExchangeTurns.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/Profile.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

constexpr std::uint32_t nothing = ExchangeTurns::nothing;
constexpr std::uint32_t fine = 4, coarse = 7;

using Sent = std::vector<SentEnvelope>;
const Sent ofFine{{1, 5}, {2, 5}, {3, 5}}, ofCoarse{{1, 5}, {8, 5}};

/// A rank that is there on the fine and on the coarse level.
TurnsOfRank onBothLevels(const ExchangeTurns &turns) {
  TurnsOfRank rank(turns);
  for (const SentEnvelope &message : ofFine)
    rank.addOwn(fine, message.destination, {message.tag});
  for (const SentEnvelope &message : ofCoarse)
    rank.addOwn(coarse, message.destination, {message.tag});
  return rank;
}

/// A rank that is there on the fine level alone.
TurnsOfRank onTheFineLevel(const ExchangeTurns &turns) {
  TurnsOfRank rank(turns);
  for (const SentEnvelope &message : ofFine)
    rank.addOwn(fine, message.destination, {message.tag});
  return rank;
}

} // namespace

TEST(ExchangeTurns, MessagesDecide) {
  TurnsOfRank rank = onBothLevels({{}, {fine, coarse}});
  EXPECT_EQ(rank.take(ofCoarse), coarse);
  EXPECT_EQ(rank.take(ofCoarse), coarse);
  EXPECT_EQ(rank.take(ofFine), fine);
  EXPECT_EQ(rank.take(ofFine), fine);
}

TEST(ExchangeTurns, TurnsDecideWhereMessagesDoNot) {
  TurnsOfRank rank = onBothLevels({{coarse}, {fine, fine, coarse}});
  const Sent common{{1, 5}};
  for (const std::uint32_t turn : {coarse, fine, fine, coarse, fine, fine, coarse})
    EXPECT_EQ(rank.take(turn == coarse ? common : ofFine), turn);
}

TEST(ExchangeTurns, EqualMessagesBelongToTheNextTurn) {
  TurnsOfRank rank({{}, {0, 1, 2}});
  for (const std::uint32_t exchange : {0, 1, 2})
    rank.addOwn(exchange, 3, {9});
  for (const std::uint32_t turn : {0, 1, 2, 0, 1})
    EXPECT_EQ(rank.take({{3, 9}}), turn);
}

TEST(ExchangeTurns, AnExecutionWithoutMessagesIsAnIdleTurn) {
  TurnsOfRank rank = onTheFineLevel({{}, {fine, nothing, nothing}});
  EXPECT_EQ(rank.take(ofFine), fine);
  EXPECT_EQ(rank.take({}), nothing);
  EXPECT_EQ(rank.take(ofFine), fine); // sooner than in the profile
  EXPECT_EQ(rank.take({}), nothing);
  EXPECT_EQ(rank.take({}), nothing);
  EXPECT_EQ(rank.take({}), nothing); // once more than in the profile
  EXPECT_EQ(rank.take(ofFine), fine);
}

TEST(ExchangeTurns, WithoutIdleTurnsAnExecutionWithoutMessagesIsAnEmptyInstance) {
  TurnsOfRank rank = onBothLevels({{}, {fine, coarse}});
  EXPECT_EQ(rank.take({}), fine);
  EXPECT_EQ(rank.take({}), coarse);
  EXPECT_EQ(rank.take(ofFine), fine);
}

TEST(ExchangeTurns, MostMessagesOfATurnSuffice) {
  TurnsOfRank rank({{}, {0, 1}});
  Sent sent;
  for (int destination = 0; destination < 20; ++destination) {
    rank.addOwn(0, destination, {1});
    rank.addOwn(1, destination + 1, {1});
    sent.push_back({destination, 1});
  }
  EXPECT_EQ(rank.take(sent), 0U);
  EXPECT_EQ(rank.take(sent), 1U); // 19 of 20 are also messages of the other exchange
  sent.resize(10);
  EXPECT_EQ(rank.take(sent), 0U);
}

TEST(ExchangeTurns, AnyTagIsOneMessage) {
  TurnsOfRank rank({{}, {0, 1}});
  for (const int destination : {1, 2})
    rank.addOwn(0, destination, {anyTag});
  rank.addOwn(1, 3, {anyTag});
  EXPECT_TRUE(rank.has({2, 77}));
  EXPECT_FALSE(rank.has({4, 77}));
  EXPECT_EQ(rank.take({{3, 5}, {3, 6}}), 1U);
  EXPECT_EQ(rank.take({{1, 7}, {2, 7}, {2, 8}}), 0U);
}

TEST(ExchangeTurns, AreReadAsWritten) {
  LoopTurns loop;
  loop.site = 2;
  loop.set(0, {{}, {1}});
  loop.set(2, {{0}, {1, nothing}});
  loop.set(3, {{}, {1}});
  EXPECT_EQ(loop.kinds.size(), 2U);
  EXPECT_EQ(loop.of(1), nullptr);
  ASSERT_NE(loop.of(3), nullptr);
  EXPECT_EQ(*loop.of(3), *loop.of(0));
  ByteWriter out;
  encodeTurns(out, {loop});
  const std::string bytes = out.take();
  ByteReader in(bytes, "a plan");
  EXPECT_EQ(decodeTurns(in, 4, 3, 2), std::vector<LoopTurns>{loop});
  struct Limits {
    int ranks;
    std::size_t sites, exchanges;
  };
  for (const Limits limits : {Limits{5, 3, 2}, Limits{4, 2, 2}, Limits{4, 3, 1}}) {
    ByteReader again(bytes, "a plan");
    const auto read = [&] { decodeTurns(again, limits.ranks, limits.sites, limits.exchanges); };
    EXPECT_THROW(read(), FormatError);
  }
}
