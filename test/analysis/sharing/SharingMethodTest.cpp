// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods of message sharing by name.

#include "analysis/sharing/search/SharingMethod.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

/// Every rank sends one item to every other.
ExchangePattern everyoneToEveryone(std::int32_t ranks) {
  ExchangePattern pattern;
  pattern.ranks = ranks;
  for (std::int32_t source = 0; source < ranks; ++source)
    for (std::int32_t destination = 0; destination < ranks; ++destination)
      if (source != destination)
        pattern.messages.push_back({source, destination, 1});
  return pattern;
}

std::string methodOf(const ExchangePattern &pattern, std::string_view name) {
  return selectRoutes(pattern, defaultMachine(), 8, SearchEffort::Usual, *sharingMethodOf(name))
      .routes.method;
}

} // namespace

TEST(SharingMethod, NamesAreThoseOfTheList) {
  for (const std::string_view name :
       {"fastest", "direct", "phase1", "phase2", "store-and-forward", "group"})
    EXPECT_TRUE(sharingMethodOf(name)) << name;
  EXPECT_EQ(sharingMethodOf("store-and-forward:9")->dimensions, 9);
  EXPECT_EQ(sharingMethodOf("store-and-forward")->dimensions, 0);
  for (const std::string_view name :
       {"", "phase", "phase3", "store-and-forward:", "store-and-forward:1", "store-and-forward:12",
        "store-and-forward 2", "Direct"})
    EXPECT_FALSE(sharingMethodOf(name)) << name;
}

TEST(SharingMethod, ANamedMethodIsSelectedWhateverItGains) {
  const ExchangePattern pattern = everyoneToEveryone(16);
  EXPECT_EQ(methodOf(pattern, "direct"), "direct");
  EXPECT_EQ(methodOf(pattern, "phase1"), "Phase I");
  EXPECT_EQ(methodOf(pattern, "phase2"), "Phases I and II");
  EXPECT_EQ(methodOf(pattern, "store-and-forward:2"), "store-and-forward in 2 dimensions");
  EXPECT_TRUE(methodOf(pattern, "group").starts_with("group sharing"));
  // The fastest of several grids, which is also the fastest method here.
  EXPECT_EQ(methodOf(pattern, "store-and-forward"), methodOf(pattern, "fastest"));
  for (const std::string_view name : {"phase1", "phase2", "group"})
    EXPECT_TRUE(
        selectRoutes(pattern, defaultMachine(), 8, SearchEffort::Usual, *sharingMethodOf(name))
            .others.empty());
}

TEST(SharingMethod, AGridThatTheRanksDoNotHaveIsDirect) {
  const ExchangePattern pattern = everyoneToEveryone(8);
  const SharingAnalysis analysis = analyzeSharing(pattern, defaultMachine(), 8);
  EXPECT_FALSE(routesOf(analysis, *sharingMethodOf("store-and-forward:4")));
  EXPECT_EQ(methodOf(pattern, "store-and-forward:4"), "direct");
}
