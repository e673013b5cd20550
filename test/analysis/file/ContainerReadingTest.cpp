// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader that looks only at what is asked for finds what a reader of everything finds.

#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sendwright {
namespace {

const std::string writtenPlan = testing::TempDir() + "reading.plan";

std::string bytesOfFile() {
  std::ifstream in(writtenPlan, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  std::filesystem::remove(writtenPlan);
  return out.str();
}

/// Sections 1 0 0, then 5 8 R for all ranks R but those that are multiples of 7, then 9 8 0.
std::string written(std::uint32_t ranks) {
  ContainerWriter writer(writtenPlan, FileKind::Plan, 1);
  writer.add({1, 0, 0}, packSection("common"));
  for (std::uint32_t rank = 1; rank < ranks; ++rank)
    if (rank % 7 != 0)
      writer.add({5, 8, rank}, packSection("rank " + std::to_string(rank)));
  writer.add({9, 8, 0}, packSection("last"));
  writer.finish();
  return bytesOfFile();
}

ContainerReader reader(const std::string &bytes, ContainerReading reading) {
  return {bytes, FileKind::Plan, 1, "f", reading};
}

TEST(ContainerReading, FindsTheSameSections) {
  const std::string bytes = written(40);
  const ContainerReader all = reader(bytes, ContainerReading::Everything);
  const ContainerReader some = reader(bytes, ContainerReading::AsNeeded);
  EXPECT_EQ(some.tags(), (std::vector<std::uint32_t>{1, 5, 9}));
  EXPECT_EQ(all.tags(), some.tags());
  for (std::uint32_t tag = 0; tag < 11; ++tag)
    for (std::uint32_t first : {0U, 8U, 9U})
      for (std::uint32_t second = 0; second < 42; ++second) {
        const SectionKey key{tag, first, second};
        const auto one = all.find(key), other = some.find(key);
        ASSERT_EQ(one.has_value(), other.has_value());
        EXPECT_EQ(listsSection(bytes, key), one.has_value());
        if (!one)
          continue;
        EXPECT_EQ(one->number, other->number);
        EXPECT_EQ(all.content(*one), some.content(*other));
      }
  EXPECT_TRUE(listsTag(bytes, 5));
  EXPECT_FALSE(listsTag(bytes, 4));
  EXPECT_FALSE(listsTag(bytes, 10));
}

TEST(ContainerReading, ReadsHardlyMoreOfALargeFile) {
  std::uint64_t read[2];
  int number = 0;
  for (std::uint32_t ranks : {100U, 25'600U}) {
    const std::string bytes = written(ranks);
    const ContainerReader some = reader(bytes, ContainerReading::AsNeeded);
    some.content(*some.find({5, 8, 50}));
    read[number++] = some.bytesRead();
  }
  EXPECT_LE(read[1], read[0] + 40 * 9); // eight doublings of the table's entries
  const std::string bytes = written(100);
  EXPECT_GT(reader(bytes, ContainerReading::Everything).bytesRead(), 40U * 80);
}

TEST(ContainerReading, NoticesDamageInWhatItReads) {
  const std::string bytes = written(40);
  const ContainerReader::Section own =
      *reader(bytes, ContainerReading::Everything).find({5, 8, 20});
  const std::size_t table = bytes.size() - 40 * (1 + 39 - 5 + 1);
  auto isNoticed = [&](std::size_t at, int bit) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
    try {
      const ContainerReader some = reader(changed, ContainerReading::AsNeeded);
      const auto found = some.find({5, 8, 20});
      return !found || some.content(*found) != "rank 20";
    } catch (const FormatError &) {
      return true;
    }
  };
  for (int bit = 0; bit < 8; ++bit) {
    for (std::size_t at = own.offset; at < own.offset + own.size; ++at)
      EXPECT_TRUE(isNoticed(at, bit)) << "section, byte " << at - own.offset;
    for (std::size_t at = 0; at < 56; ++at)
      EXPECT_TRUE(isNoticed(at, bit)) << "header, byte " << at;
    for (std::size_t at = 0; at < 40; ++at)
      EXPECT_TRUE(isNoticed(table + 40 * (own.number - 1) + at, bit)) << "entry, byte " << at;
  }
}

TEST(ContainerReading, FilesWithAnotherContentHaveAnotherDigest) {
  const std::string one = written(20), other = written(21);
  EXPECT_EQ(containerDigest(one), containerDigest(written(20)));
  EXPECT_NE(containerDigest(one), containerDigest(other));
  EXPECT_NE(containerDigest(one), containerDigest(one, 1));
  ContainerWriter writer(writtenPlan, FileKind::Plan, 1);
  writer.add({1, 0, 0}, packSection("commoN"));
  writer.finish();
  const std::string almost = bytesOfFile();
  ContainerWriter again(writtenPlan, FileKind::Plan, 1);
  again.add({1, 0, 0}, packSection("common"));
  again.finish();
  EXPECT_NE(containerDigest(almost), containerDigest(bytesOfFile()));
  EXPECT_EQ(containerDigest("short"), containerDigest("short"));
  EXPECT_NE(containerDigest("short"), containerDigest(""));
}

} // namespace
} // namespace sendwright
