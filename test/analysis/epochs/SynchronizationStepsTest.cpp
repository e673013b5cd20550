// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/StepFollower.h"
#include "analysis/epochs/steps/StepPlanning.h"
#include "analysis/file/FormatError.h"
#include "analysis/trace/Grammar.h"
#include "analysis/trace/TextTrace.h"
#include "test/analysis/epochs/RandomTrace.h"
#include "test/benchmark/epochs/Applications.h"

#include <gtest/gtest.h>

#include <random>

namespace sendwright {
namespace {

constexpr SynchronizationKind kinds[] = {SynchronizationKind::Full, SynchronizationKind::Partial,
                                         SynchronizationKind::Component};

std::vector<RankSteps> stepsFor(const Profile &profile, SynchronizationKind kind) {
  return planSteps(profile, analyzeEpochs(profile, TraceLocation("test", profile)), kind).ranks;
}

std::string encode(const RankSteps &rank) {
  ByteWriter out;
  encodeSteps(out, rank);
  return out.take();
}

std::uint64_t synchronizations(const std::vector<RankSteps> &ranks) {
  std::uint64_t sum = 0;
  for (const RankSteps &rank : ranks)
    sum += synchronizationsOf(rank);
  return sum;
}

/// How often the rank synchronises while it makes the calls of its run; the test fails at an
/// unexpected call.
std::uint64_t follow(const RankProfile &run, const RankSteps &steps) {
  StepFollower follower(steps);
  std::uint64_t count = 0;
  const auto synchronize = [&] {
    for (; const Step *due = follower.due(); follower.synchronized())
      count += due->kind != StepKind::Await;
  };
  run.sequence.forEach([&](std::uint32_t number) {
    const std::optional<Step> step = stepOf(run.events[number]);
    if (!step)
      return true;
    synchronize();
    if (step->kind != StepKind::Completions) {
      EXPECT_TRUE(follower.follow(*step));
    } else {
      EXPECT_TRUE(follower.expectsCompletions());
      for (std::uint64_t left = step->completed; left > 0; synchronize())
        left = follower.complete(left);
    }
    return !testing::Test::HasFailure();
  });
  synchronize();
  EXPECT_TRUE(follower.atEnd());
  return count;
}

TEST(SynchronizationSteps, HaveAsManyGroupsAsAreCounted) {
  const Profile profile = heatGrid(9, 50);
  EXPECT_EQ(synchronizations(stepsFor(profile, SynchronizationKind::Full)), 900U);
  EXPECT_EQ(synchronizations(stepsFor(profile, SynchronizationKind::Partial)), 801U);
  EXPECT_EQ(synchronizations(stepsFor(profile, SynchronizationKind::Component)), 801U);
}

/// What one rank does, without completions.
std::string textOf(const RankSteps &rank) {
  std::string text;
  rank.sequence.forEach([&](std::uint32_t number) {
    const Step &step = rank.steps[number];
    if (step.kind != StepKind::Completion)
      text += step.kind == StepKind::Announce
                  ? "|" + std::to_string(rank.listeners[step.group].size()) + " "
              : step.kind == StepKind::Await         ? "await " + std::to_string(step.peer) + " "
              : step.function == MpiFunctionId::Send ? "send "
                                                     : "receive ";
    return true;
  });
  return text;
}

TEST(SynchronizationSteps, SayBeforeWhichCallAndWithWhom) {
  const Profile profile = equationString(3, 2);
  const RankSteps worker = stepsFor(profile, SynchronizationKind::Component)[1];
  EXPECT_EQ(textOf(worker), "send receive |1 await 2 send receive |0 send ");
  EXPECT_EQ(worker.listeners, (std::vector<std::vector<int>>{{2}, {}}));
}

/// The run with MPI_Imrecv and MPI_Wait in place of each MPI_Recv.
Profile withMatchedReceives(Profile profile, bool fromAnySource) {
  for (RankProfile &rank : profile.ranks) {
    GrammarBuilder sequence;
    std::vector<Event> events = rank.events;
    rank.sequence.forEach([&](std::uint32_t number) {
      sequence.append(number);
      Event &event = events[number];
      if (rank.events[number].function != MpiFunctionId::Recv)
        return true;
      event.function = MpiFunctionId::Imrecv;
      event.requests = {0};
      Event wait;
      wait.function = MpiFunctionId::Wait;
      wait.requests = {0};
      if (fromAnySource) {
        event.peer = anySource;
        wait.matches = {{0, rank.events[number].peer, event.tag, event.bytes}};
      }
      events.push_back(wait);
      sequence.append(static_cast<std::uint32_t>(events.size() - 1));
      return true;
    });
    rank.events = events;
    rank.sequence = sequence.grammar();
  }
  return profile;
}

TEST(SynchronizationSteps, AMessageThatAProbeMatchedWasSentBeforeItsReceive) {
  const Profile profile = equationString(3, 2);
  for (const SynchronizationKind kind : kinds) {
    const std::vector<RankSteps> expected = stepsFor(profile, kind);
    for (const bool fromAnySource : {false, true}) {
      const std::vector<RankSteps> steps =
          stepsFor(withMatchedReceives(profile, fromAnySource), kind);
      ASSERT_EQ(steps.size(), expected.size());
      for (std::size_t rank = 0; rank < steps.size(); ++rank)
        EXPECT_EQ(textOf(steps[rank]), textOf(expected[rank]));
    }
  }
}

/// The calls of a run in which every send and every receive has a place of its own.
SynchronizedCalls callsFor(Profile profile, SynchronizationKind kind) {
  profile.callSites = {{"app.c", "work", 3, 0, 1, ""}, {"app.c", "work", 4, 0, 2, ""}};
  for (RankProfile &rank : profile.ranks)
    for (Event &event : rank.events)
      event.call = event.function == MpiFunctionId::Send ? 0 : 1;
  return planSteps(profile, analyzeEpochs(profile, TraceLocation("test", profile)), kind).calls;
}

TEST(SynchronizationSteps, CountBeforeWhichCallsTheyAct) {
  // Rank 1: send receive |tells 2, awaits 2| send receive |tells nobody| send.
  const SynchronizedCalls component =
      callsFor(equationString(3, 2), SynchronizationKind::Component);
  ASSERT_EQ(component.marked.size(), 1U);
  EXPECT_EQ(component.marked.at(0).acts, 2U);
  EXPECT_EQ(component.marked.at(0).ranks, 2U);
  EXPECT_EQ(component.unmarked, 0U);
  EXPECT_EQ(component.atEnd, 0U);
  // Ranks 0 to 2 meet twice: the workers before a send, rank 0, which only receives, before its
  // first receive or at its end.
  const SynchronizedCalls full = callsFor(equationString(3, 2), SynchronizationKind::Full);
  std::uint64_t acts = full.unmarked + full.atEnd;
  for (const auto &[call, actions] : full.marked)
    acts += actions.acts;
  EXPECT_GE(acts, 3U);
  EXPECT_EQ(full.marked.at(0).ranks, 2U);
}

TEST(SynchronizationSteps, CountCallsThatNobodyMarked) {
  const Profile profile = equationString(3, 2);
  const SynchronizedCalls calls =
      planSteps(profile, analyzeEpochs(profile, TraceLocation("test", profile)),
                SynchronizationKind::Component)
          .calls;
  EXPECT_TRUE(calls.marked.empty());
  EXPECT_EQ(calls.unmarked, 2U);
}

TEST(SynchronizationSteps, FollowTheRunThatTheyWerePlannedFor) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Profile profile = parseTextTrace(randomTrace(seed, 5, 60), "random");
    for (SynchronizationKind kind : kinds) {
      const std::vector<RankSteps> steps = stepsFor(profile, kind);
      std::uint64_t count = 0;
      for (std::size_t rank = 0; rank < steps.size(); ++rank)
        count += follow(profile.ranks[rank], steps[rank]);
      EXPECT_EQ(count, synchronizations(steps));
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
}

TEST(SynchronizationSteps, NoticeAnotherCall) {
  const Profile profile = equationString(3, 4);
  const RankSteps steps = stepsFor(profile, SynchronizationKind::Component)[1];
  StepFollower follower(steps);
  Step step = follower.expected();
  step.tag = 17;
  EXPECT_FALSE(follower.follow(step));
  step.tag = 0;
  EXPECT_TRUE(follower.follow(step));
  EXPECT_EQ(follower.complete(1), 1U); // no completion is expected
}

TEST(SynchronizationSteps, CompletionsMayComeInOtherPortions) {
  const Profile profile = parseTextTrace("sendwright-trace 1\nranks 2\nrank 0\n"
                                         "send 1\nsend 1 tag=1\nrank 1\nrecv 0\nrecv 0 tag=1\n",
                                         "test");
  RankSteps steps = stepsFor(profile, SynchronizationKind::Full)[0];
  Step completions;
  completions.kind = StepKind::Completions;
  completions.completed = 3;
  steps.steps = {completions};
  steps.sequence.rules = {{{0, false, 2}}};
  StepFollower follower(steps);
  EXPECT_EQ(follower.complete(2), 0U);
  EXPECT_EQ(follower.complete(2), 0U);
  EXPECT_FALSE(follower.atEnd());
  EXPECT_EQ(follower.complete(3), 1U); // one too many
  EXPECT_TRUE(follower.atEnd());
}

TEST(SynchronizationSteps, ManyEqualSuperEpochsAreKilobytes) {
  std::size_t bytes = 0;
  for (const RankSteps &rank : stepsFor(equationString(3, 200'000), SynchronizationKind::Component))
    bytes += encode(rank).size();
  EXPECT_LT(bytes, 4096U);
}

TEST(SynchronizationSteps, DecodeToTheSame) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Profile profile = parseTextTrace(randomTrace(seed, 5, 60), "random");
    for (SynchronizationKind kind : kinds) {
      const std::vector<RankSteps> ranks = stepsFor(profile, kind);
      for (int rank = 0; rank < 5; ++rank) {
        const std::string bytes = encode(ranks[rank]);
        ByteReader reader(bytes, "test");
        const RankSteps decoded = decodeSteps(reader, 5, rank);
        reader.expectEnd();
        EXPECT_EQ(encode(decoded), bytes);
        EXPECT_EQ(decoded.steps, ranks[rank].steps);
        EXPECT_EQ(decoded.groups, ranks[rank].groups);
        EXPECT_EQ(decoded.listeners, ranks[rank].listeners);
      }
    }
  }
}

TEST(SynchronizationSteps, DamagedBytesAreRefusedOrHarmless) {
  const Profile profile = parseTextTrace(randomTrace(6, 6, 80), "random");
  RankSteps planned = stepsFor(profile, SynchronizationKind::Component)[1];
  planned.groups = stepsFor(profile, SynchronizationKind::Partial)[1].groups;
  const std::string bytes = encode(planned);
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
      const RankSteps rank = decodeSteps(in, 6, 1);
      for (const Step &step : rank.steps) {
        ASSERT_TRUE(step.kind != StepKind::Synchronize || step.group < rank.groups.size());
        ASSERT_TRUE(step.kind != StepKind::Announce || step.group < rank.listeners.size());
        ASSERT_TRUE(step.kind != StepKind::Await || (step.peer >= 0 && step.peer < 6));
      }
      for (const auto &lists : {rank.groups, rank.listeners})
        for (const auto &group : lists)
          for (int member : group)
            ASSERT_LT(member, 6);
      ASSERT_TRUE(rank.sequence.valid(static_cast<std::uint32_t>(rank.steps.size())));
    } catch (const FormatError &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 4000);
}

} // namespace
} // namespace sendwright
