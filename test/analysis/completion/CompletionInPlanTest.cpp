// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early completion in a plan file, and what a plan may say of it.

#include "analysis/completion/CompletionRefusal.h"
#include "analysis/completion/EarlyCompletion.h"
#include "analysis/completion/LongWaits.h"
#include "analysis/file/FormatError.h"
#include "analysis/plan/KnownSections.h"
#include "analysis/plan/Plan.h"
#include "analysis/plan/PlanContradictions.h"

#include <gtest/gtest.h>

#include <set>

namespace sendwright {
namespace {

void explain(SitePlan &site, double waiting, std::uint64_t largest, const std::string &refusal) {
  SiteCompletion &completion = site.of<SiteCompletion>();
  completion.waiting = waiting;
  completion.largest = largest;
  if (!refusal.empty())
    completion.refusal = RefusalText::asRead(refusal);
}

/// Two sites, the second of which completes its sends early.
RankCountPlan earlyPlan() {
  RankCountPlan plan;
  plan.sites.resize(2);
  explain(plan.sites[0], 0, 4'000'000, "it is large");
  plan.sites[1].decision = Decision::Rewrite;
  plan.sites[1].transformation = earlyCompletionStem;
  explain(plan.sites[1], 0.25, 100'000, "");
  plan.of<LongWaits>().waits = {{{"app.c", "exchange", 40, 0, 7, ""}, 0.5, 25}};
  EarlyCompletions &early = plan.of<EarlyCompletions>();
  early.sites = {1};
  early.least = 65'537;
  early.most = 1 << 20;
  return plan;
}

const PlanSection &sectionAt(std::size_t index) {
  static const std::vector<PlanSection> sections = knownSectionsOf(earlyCompletionStem)->sections();
  return sections.at(index);
}

/// What the section's content becomes for a plan with so many sites.
RankCountPlan reread(std::size_t section, const std::string &content, std::size_t sites = 2) {
  RankCountPlan plan;
  plan.sites.resize(sites);
  ByteReader in(content, "test.plan");
  sectionAt(section).decode(in, plan, 4, 0);
  return plan;
}

TEST(CompletionInPlan, ComesBackFromTheFile) {
  const RankCountPlan plan = earlyPlan();
  const RankCountPlan sites = reread(0, sectionAt(0).encode(plan, 0).value());
  EXPECT_EQ(sites.of<EarlyCompletions>().sites, std::vector<std::uint32_t>{1});
  EXPECT_EQ(sites.of<EarlyCompletions>().least, 65'537u);
  EXPECT_EQ(sites.of<EarlyCompletions>().most, 1u << 20);
  const RankCountPlan figures = reread(1, sectionAt(1).encode(plan, 0).value());
  EXPECT_EQ(sentenceOf(figures.sites[0].of<SiteCompletion>().refusal), "it is large");
  EXPECT_EQ(figures.sites[1].of<SiteCompletion>().refusal, std::nullopt);
  EXPECT_EQ(figures.sites[1].of<SiteCompletion>().largest, 100'000u);
  EXPECT_EQ(figures.sites[1].of<SiteCompletion>().waiting, 0.25);
  const RankCountPlan waits = reread(2, sectionAt(2).encode(plan, 0).value());
  ASSERT_EQ(waits.of<LongWaits>().waits.size(), 1u);
  EXPECT_EQ(waits.of<LongWaits>().waits[0].site.display(), "app.c:40");
  EXPECT_EQ(waits.of<LongWaits>().waits[0].percent, 25);
}

TEST(CompletionInPlan, RefusesWhatTheWriterNeverWrites) {
  const RankCountPlan plan = earlyPlan();
  for (const std::size_t section : {0, 1, 2}) {
    const std::string content = sectionAt(section).encode(plan, 0).value();
    for (std::size_t length = 0; length < content.size(); ++length)
      EXPECT_THROW(reread(section, content.substr(0, length)), FormatError) << length;
    EXPECT_THROW(reread(section, content + '\0'), FormatError);
    if (section < 2) {
      EXPECT_THROW(reread(section, content, 1), FormatError);
    }
  }
  RankCountPlan twice = earlyPlan();
  twice.of<EarlyCompletions>().sites = {1, 1};
  EXPECT_THROW(reread(0, sectionAt(0).encode(twice, 0).value()), FormatError);
  RankCountPlan empty = earlyPlan();
  empty.of<EarlyCompletions>().most = 1;
  EXPECT_THROW(reread(0, sectionAt(0).encode(empty, 0).value()), FormatError);
}

TEST(CompletionInPlan, SitesAndDecisionsAgree) {
  RankCountPlan plan = earlyPlan();
  EXPECT_EQ(contradictionIn(plan, 4), std::nullopt);
  plan.of<EarlyCompletions>().sites = {0, 1};
  EXPECT_NE(contradictionIn(plan, 4).value_or("").find("but the plan does not"), std::string::npos);
  plan.of<EarlyCompletions>().sites = {};
  EXPECT_NE(contradictionIn(plan, 4).value_or("").find("ranks do not know"), std::string::npos);
  plan.of<EarlyCompletions>().sites = {7};
  EXPECT_EQ(contradictionIn(plan, 4), "early completion at a site that does not exist");
}

TEST(CompletionInPlan, EachRefusalHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (int number = 0; number <= static_cast<int>(lastCompletionObstacle); ++number) {
    const std::string sentence = textOf({static_cast<CompletionObstacle>(number)});
    EXPECT_NE(sentence, "");
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

} // namespace
} // namespace sendwright
