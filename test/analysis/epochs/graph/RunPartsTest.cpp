// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/graph/RunParts.h"
#include "analysis/epochs/graph/GraphBuilder.h"
#include "test/benchmark/epochs/Applications.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

using Events = std::vector<std::vector<std::uint32_t>>; // by rank

struct Cut {
  int parts = 0;
  std::size_t largest = 0; ///< events in a part
  bool isComplete = false; ///< its parts are the whole run, in order
};

Cut cut(const Profile &profile, std::uint64_t events) {
  const TraceLocation locate("run", profile);
  const GraphBuilder builder(profile, locate);
  RunParts parts(profile, builder, events);
  Cut result;
  Events all(profile.ranks.size());
  NextPart next;
  for (; (next = parts.next()) == NextPart::Found; ++result.parts) {
    std::size_t size = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      const std::vector<std::uint32_t> &own = parts.events()[rank];
      all[rank].insert(all[rank].end(), own.begin(), own.end());
      size += own.size();
    }
    result.largest = std::max(result.largest, size);
  }
  result.isComplete = next == NextPart::End;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    std::vector<std::uint32_t> run;
    profile.ranks[rank].sequence.forEach([&](std::uint32_t event) {
      run.push_back(event);
      return true;
    });
    result.isComplete = result.isComplete && run == all[rank];
  }
  return result;
}

TEST(RunParts, RanksGoForwardTogether) {
  const Cut found = cut(fourierTransform(16, 200), 1000);
  EXPECT_TRUE(found.isComplete);
  EXPECT_GT(found.parts, 20);
  EXPECT_LT(found.largest, 2000U);
}

TEST(RunParts, ARankWithFewCallsDoesNotHurryTheOthers) {
  const Cut found = cut(heatGrid(17, 500), 1000); // rank 0 only scatters and gathers
  EXPECT_TRUE(found.isComplete);
  EXPECT_GT(found.parts, 20);
  EXPECT_LT(found.largest, 4000U);
}

TEST(RunParts, CollectivesDoNotHurryTheOthers) {
  Profile profile = fourierTransform(4, 1000);
  for (RankProfile &rank : profile.ranks) {
    Event barrier;
    barrier.function = MpiFunctionId::Barrier;
    const auto number = static_cast<std::uint32_t>(rank.events.size());
    rank.events.push_back(barrier);
    rank.sequence.rules[0].push_back({number, false, 1});
  }
  RankProfile &idle = profile.ranks.emplace_back(); // only waits for the others at the end
  for (RankProfile &rank : profile.ranks)
    rank.communicators = {{{0, 1, 2, 3, 4}, 0, false}};
  idle.events.emplace_back().function = MpiFunctionId::Barrier;
  idle.sequence.rules = {{{0, false, 1}}};
  const Cut found = cut(profile, 500);
  EXPECT_TRUE(found.isComplete);
  EXPECT_LT(found.largest, 2000U);
}

TEST(RunParts, ARunWithoutCallsHasNoPart) {
  Profile profile;
  profile.ranks.resize(3);
  const Cut found = cut(profile, 10);
  EXPECT_TRUE(found.isComplete);
  EXPECT_EQ(found.parts, 0);
}

} // namespace
} // namespace sendwright
