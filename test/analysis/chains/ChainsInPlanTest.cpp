// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/chains/ExchangeChains.h"
#include "analysis/file/FormatError.h"
#include "analysis/plan/KnownSections.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

const PlanSection &leftChains() {
  static const std::vector<PlanSection> sections = knownSectionsOf(exchangeChainsStem)->sections();
  return sections.at(0);
}

RankCountPlan reread(const std::string &content, std::size_t sites) {
  RankCountPlan plan;
  plan.sites.resize(sites);
  ByteReader in(content, "test.plan");
  leftChains().decode(in, plan, 4, 0);
  return plan;
}

RankCountPlan planThatLeavesTheSecond() {
  RankCountPlan plan;
  plan.sites.resize(3);
  plan.sites[1].of<SiteChain>().refusal = RefusalText::asRead("measured to be slower");
  return plan;
}

TEST(ChainsInPlan, ComeBackFromTheFile) {
  const std::string content = leftChains().encode(planThatLeavesTheSecond(), 0).value();
  const RankCountPlan read = reread(content, 3);
  EXPECT_FALSE(read.sites[0].of<SiteChain>().refusal);
  EXPECT_EQ(sentenceOf(read.sites[1].of<SiteChain>().refusal), "measured to be slower");
  EXPECT_TRUE(leftChains().isDue(read));
  EXPECT_FALSE(leftChains().isDue(reread(std::string(1, '\0'), 3)));
}

TEST(ChainsInPlan, RefuseWhatTheWriterNeverWrites) {
  const std::string content = leftChains().encode(planThatLeavesTheSecond(), 0).value();
  EXPECT_THROW(reread(content, 1), FormatError);
  for (std::size_t size = 0; size < content.size(); ++size)
    EXPECT_THROW(reread(content.substr(0, size), 3), FormatError) << size;
  EXPECT_THROW(reread(content + '\0', 3), FormatError);
}

} // namespace
} // namespace sendwright
