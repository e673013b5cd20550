// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of communicators in profiles: what they take does not grow with the number of ranks, a
// long list is there once, and files of the version before are read.

#include "analysis/trace/MemberLists.h"

#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "test/analysis/file/FileSamples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <unistd.h>

using namespace sendwright;

namespace {

const std::string listsFile = testing::TempDir() + "sendwright-lists-" + std::to_string(getpid());

std::vector<int> ranksFrom(int first, int count, int distance) {
  std::vector<int> ranks;
  for (int index = 0; index < count; ++index)
    ranks.push_back(first + index * distance);
  return ranks;
}

/// Every second rank on average, in order.
std::vector<int> irregularRanks(int ranks, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> members;
  for (int rank = 0; rank < ranks; ++rank)
    if (random() % 2)
      members.push_back(rank);
  return members;
}

RankList readBack(const std::string &content, std::size_t ranks) {
  ByteWriter out;
  out.number(0);
  std::string bytes = out.take() + content;
  MemberLists lists;
  ByteReader in(bytes, "f");
  RankList members = lists.read(in, ranks);
  in.expectEnd();
  return members;
}

Profile profileWith(int ranks, const std::vector<std::vector<int>> &others) {
  Profile profile;
  const RankList world = ranksFrom(0, ranks, 1);
  std::vector<RankList> shared(others.begin(), others.end());
  for (int index = 0; index < ranks; ++index) {
    RankProfile &rank = profile.ranks.emplace_back();
    rank.communicators = {{world, 0, false}, {{index}, 0, false}};
    for (const RankList &members : shared)
      if (std::binary_search(members.begin(), members.end(), index))
        rank.communicators.push_back({members, 0, false});
  }
  return profile;
}

std::size_t sectionsOf(const Profile &profile, std::uintmax_t *size = nullptr) {
  writeProfile(profile, listsFile);
  const std::string bytes = readTextFile(listsFile);
  if (size)
    *size = bytes.size();
  const ContainerReader reader(bytes, FileKind::Profile, {1, 99}, "f");
  const Profile again = decodeProfile(bytes.data(), bytes.size(), "f");
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
    EXPECT_EQ(again.ranks[rank].communicators, profile.ranks[rank].communicators);
  std::filesystem::remove(listsFile);
  return reader.sections().size();
}

} // namespace

TEST(MemberLists, ComeBackAsTheyWere) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<int> members;
    for (std::size_t runs = random() % 6; runs > 0; --runs) {
      const int first = static_cast<int>(random() % 400),
                distance = static_cast<int>(random() % 7) - 3;
      const auto more = ranksFrom(first + 40, 1 + static_cast<int>(random() % 10), distance);
      members.insert(members.end(), more.begin(), more.end());
    }
    ASSERT_EQ(readBack(encodeMembers(members), 500).vector(), members);
  }
}

TEST(MemberLists, OfGridsTakeFewBytesForAnyNumberOfRanks) {
  for (int ranks : {100, 10'000, 1'000'000}) {
    EXPECT_LE(encodeMembers(ranksFrom(0, ranks, 1)).size(), 7u);
    EXPECT_LE(encodeMembers(ranksFrom(3, ranks / 10, 10)).size(), 7u);
    EXPECT_LE(encodeMembers(ranksFrom(ranks - 1, ranks, -1)).size(), 9u);
  }
}

TEST(MemberLists, EachRankThatNamesAListHasTheSameListInMemory) {
  const std::string content = encodeMembers(ranksFrom(0, 1000, 1));
  ByteWriter out;
  out.number(0);
  const std::string bytes = out.take() + content;
  MemberLists lists;
  ByteReader one(bytes, "f"), other(bytes, "f");
  EXPECT_EQ(&lists.read(one, 1000).vector(), &lists.read(other, 1000).vector());
}

TEST(MemberLists, LongOnesAreWrittenOnce) {
  const std::vector<int> some = irregularRanks(600, 1), others = irregularRanks(600, 2);
  EXPECT_EQ(sectionsOf(profileWith(600, {})), 601u);
  EXPECT_EQ(sectionsOf(profileWith(600, {some, others})), 603u);
}

TEST(MemberLists, ARanksSectionDoesNotGrowWithTheRanks) {
  std::uintmax_t few = 0, many = 0;
  sectionsOf(profileWith(200, {irregularRanks(200, 3)}), &few);
  sectionsOf(profileWith(3200, {irregularRanks(3200, 3)}), &many);
  EXPECT_LT(static_cast<double>(many), 17.5 * static_cast<double>(few));
}

TEST(MemberLists, OfRanksThatDoNotExistAreRefused) {
  EXPECT_THROW(readBack(encodeMembers({0, 1, 2}), 2), FormatError);
  EXPECT_THROW(readBack(encodeMembers({5, 3, 1, -1}), 6), FormatError);
  EXPECT_THROW(readBack(encodeMembers({0, 4, 8, 12}), 12), FormatError);
}

TEST(MemberLists, AreNotExpandedBeyondTheLimit) {
  // A few bytes for each of many lists of four million ranks.
  constexpr int ranks = 4'000'000;
  MemberLists lists;
  std::uint64_t read = 0;
  EXPECT_THROW(
      for (int first = 0; first < 64; ++first) {
        ByteWriter out;
        for (std::uint64_t number : {0, 1, 2 * first, ranks - first, 2})
          out.number(number);
        const std::string bytes = out.take();
        ByteReader in(bytes, "f");
        read += lists.read(in, ranks).size();
      },
      FormatError);
  EXPECT_LE(read, limits::members);
  EXPECT_GT(read, limits::members / 2);
}

TEST(MemberLists, ThatTheFileLacksAreRefused) {
  ByteWriter out;
  out.number(1);
  out.fixed64(1);
  out.fixed64(2);
  const std::string bytes = out.take();
  ByteReader in(bytes, "f");
  MemberLists lists;
  EXPECT_THROW(lists.read(in, 10), FormatError);
}

TEST(MemberLists, OfFilesOfVersionSixAreRead) {
  const Profile read = readProfile(SENDWRIGHT_ANALYSIS_TEST_INPUTS "/version-6.profile"),
                expected = sampleProfile();
  ASSERT_EQ(read.ranks.size(), expected.ranks.size());
  for (std::size_t rank = 0; rank < read.ranks.size(); ++rank) {
    EXPECT_EQ(read.ranks[rank].communicators, expected.ranks[rank].communicators);
    EXPECT_EQ(read.ranks[rank].events, expected.ranks[rank].events);
    EXPECT_EQ(read.ranks[rank].sequence.rules, expected.ranks[rank].sequence.rules);
    EXPECT_EQ(read.ranks[rank].host, expected.ranks[rank].host);
    EXPECT_TRUE(read.ranks[rank].leftOut.empty());
  }
}
