// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routes do not depend on how many threads seek them.

#include "analysis/file/ParallelTasks.h"
#include "analysis/sharing/search/Sharing.h"

#include <gtest/gtest.h>

#include <random>

namespace sendwright {
namespace {

ExchangePattern randomPattern(std::int32_t ranks, unsigned seed) {
  std::mt19937 random(seed);
  ExchangePattern pattern{ranks, {}};
  for (std::int32_t source = 0; source < ranks; ++source)
    for (std::int32_t destination = 0; destination < ranks; ++destination)
      if (destination != source && random() % 4 == 0)
        pattern.messages.push_back({source, destination, 1 + random() % 9});
  return pattern;
}

std::vector<SharedRoutes> everything(const ExchangePattern &pattern, unsigned threads,
                                     SearchEffort effort) {
  allowThreads(threads);
  const SharingAnalysis analysis = analyzeSharing(pattern, defaultMachine(), 8, effort);
  allowThreads(1);
  std::vector<SharedRoutes> all = {analysis.direct, analysis.phaseOne, analysis.phaseTwo};
  all.insert(all.end(), analysis.storeAndForward.begin(), analysis.storeAndForward.end());
  all.insert(all.end(), analysis.groupSharing.begin(), analysis.groupSharing.end());
  return all;
}

TEST(SharingThreads, FindTheRoutesOfOneThread) {
  for (const std::int32_t ranks : {2, 3, 17, 48})
    for (const SearchEffort effort : {SearchEffort::Usual, SearchEffort::Thorough}) {
      const ExchangePattern pattern = randomPattern(ranks, static_cast<unsigned>(ranks));
      const std::vector<SharedRoutes> one = everything(pattern, 1, effort);
      for (const unsigned threads : {2U, 5U}) {
        const std::vector<SharedRoutes> several = everything(pattern, threads, effort);
        ASSERT_EQ(several.size(), one.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
          EXPECT_EQ(several[i].method, one[i].method);
          EXPECT_EQ(several[i].table.stages, one[i].table.stages);
          EXPECT_EQ(several[i].table.routes, one[i].table.routes) << one[i].method;
          EXPECT_EQ(several[i].seconds, one[i].seconds);
        }
      }
    }
}

} // namespace
} // namespace sendwright
