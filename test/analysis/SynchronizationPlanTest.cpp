// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/SynchronizationPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/RandomTrace.h"
#include "test/benchmark/epochs/Applications.h"

#include <gtest/gtest.h>

#include <random>

namespace sendwright {
namespace {

SynchronizationPlan planOf(const Profile &profile, SynchronizationKind kind) {
  return makeSynchronizationPlan(profile, analyzeEpochs(profile, TraceLocation("test", profile)),
                                 kind);
}

std::string encode(const RankSynchronization &rank) {
  ByteWriter out;
  encodeRankSynchronization(out, rank);
  return out.take();
}

std::uint64_t synchronizations(const SynchronizationPlan &plan) {
  std::uint64_t sum = 0;
  for (const RankSynchronization &rank : plan.ranks)
    sum += rank.sequence.length();
  return sum;
}

TEST(SynchronizationPlan, HasAsManyStepsAsAreCounted) {
  const Profile profile = heatGrid(9, 50);
  EXPECT_EQ(synchronizations(planOf(profile, SynchronizationKind::Full)), 900U);
  EXPECT_EQ(synchronizations(planOf(profile, SynchronizationKind::Partial)), 801U);
  EXPECT_EQ(synchronizations(planOf(profile, SynchronizationKind::Component)), 801U);
}

TEST(SynchronizationPlan, StepsSayAfterHowManyEventsAndWhoWaits) {
  const Profile profile = equationString(3, 4);
  const SynchronizationPlan plan = planOf(profile, SynchronizationKind::Component);
  const RankSynchronization &worker = plan.ranks[1];
  EXPECT_EQ(worker.events, 9U); // four exchanges, one message to rank 0
  EXPECT_EQ(worker.buffers, 1U);
  std::vector<std::uint64_t> events;
  worker.sequence.forEach([&](std::uint32_t step) {
    events.push_back(worker.steps[step].events);
    return true;
  });
  EXPECT_EQ(events, (std::vector<std::uint64_t>{2, 2, 2, 2}));
  EXPECT_EQ(worker.groups, (std::vector<std::vector<std::uint32_t>>{{1, 2}, {0, 1, 2}}));
}

TEST(SynchronizationPlan, AMillionEqualSuperEpochsAreKilobytes) {
  const Profile profile = equationString(3, 1'000'000);
  const SynchronizationPlan plan = planOf(profile, SynchronizationKind::Component);
  EXPECT_EQ(plan.superEpochs, 1'000'001U);
  std::size_t bytes = 0;
  for (const RankSynchronization &rank : plan.ranks)
    bytes += encode(rank).size();
  EXPECT_LT(bytes, 4096U);
}

TEST(SynchronizationPlan, DecodesToTheSame) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Profile profile = parseTextTrace(randomTrace(seed, 5, 60), "random");
    for (SynchronizationKind kind :
         {SynchronizationKind::Full, SynchronizationKind::Partial, SynchronizationKind::Component})
      for (const RankSynchronization &rank : planOf(profile, kind).ranks) {
        const std::string bytes = encode(rank);
        ByteReader reader(bytes, "test");
        EXPECT_EQ(decodeRankSynchronization(reader, 5, 0), rank);
        reader.expectEnd();
      }
  }
}

TEST(SynchronizationPlan, DamagedBytesAreRefusedOrHarmless) {
  const Profile profile = parseTextTrace(randomTrace(6, 6, 80), "random");
  const std::string bytes = encode(planOf(profile, SynchronizationKind::Partial).ranks[1]);
  std::mt19937_64 random(1);
  int refused = 0;
  for (int attempt = 0; attempt < 20000; ++attempt) {
    std::string damaged = bytes;
    for (std::uint64_t changes = random() % 3 + 1; changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 4 == 0)
      damaged.resize(random() % damaged.size());
    try {
      ByteReader in(damaged, "damaged");
      const RankSynchronization rank = decodeRankSynchronization(in, 6, 0);
      for (const SynchronizationStep &step : rank.steps)
        ASSERT_LT(step.group, rank.groups.size());
      for (const auto &group : rank.groups)
        for (std::uint32_t member : group)
          ASSERT_LT(member, 6U);
      ASSERT_TRUE(rank.sequence.valid(static_cast<std::uint32_t>(rank.steps.size())));
    } catch (const FormatError &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000);
}

} // namespace
} // namespace sendwright
