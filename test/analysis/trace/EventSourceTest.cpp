// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's section whose events come one at a time, and content that is compressed as it comes.

#include "analysis/file/Container.h"
#include "analysis/trace/Profile.h"
#include "test/analysis/file/FileSamples.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace sendwright;

TEST(ProfileFile, EventsThatComeOneAtATimeMakeTheSameSection) {
  const Profile profile = sampleProfile();
  for (RankProfile rank : profile.ranks) {
    const EncodedRank expected = encodeRankSection(rank, profile.sites, profile.callSites, {});
    std::vector<Event> events;
    events.swap(rank.events);
    const EventSource source{
        events.size(), [&events](std::size_t number, Event &event) { event = events[number]; }};
    EXPECT_EQ(encodeRankSection(rank, source, profile.sites, profile.callSites, {}).section,
              expected.section);
    EXPECT_NE(encodeRankSection(rank, profile.sites, profile.callSites, {}).section,
              expected.section);
  }
}

TEST(SectionPacker, ContentThatComesInPiecesComesBackAsAWhole) {
  std::string content;
  for (std::uint64_t i = 0; i < 300000; ++i)
    content += static_cast<char>(i * i % 251);
  for (const std::size_t size : {std::size_t(1), std::size_t(4099), content.size()}) {
    SectionPacker packer;
    for (std::size_t at = 0; at < content.size(); at += size)
      packer.add(std::string_view(content).substr(at, size));
    EXPECT_EQ(unpackSection(packer.finish(), "f"), content);
  }
  SectionPacker nothing;
  EXPECT_EQ(unpackSection(nothing.finish(), "f"), "");
}

TEST(ByteWriter, ASinkGetsAllBytesInOrder) {
  ByteWriter whole;
  std::string got;
  ByteWriter passing([&got](std::string_view bytes) { got += bytes; });
  for (std::uint64_t number = 0; number < 100000; ++number)
    for (ByteWriter *out : {&whole, &passing}) {
      out->number(number * number);
      out->text("text");
    }
  EXPECT_FALSE(got.empty());
  EXPECT_EQ(got + passing.take(), whole.take());
}
