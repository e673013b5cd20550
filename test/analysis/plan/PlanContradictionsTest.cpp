// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks' parts of a plan fit together, or the plan is refused with the first contradiction.

#include "analysis/plan/PlanContradictions.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/schedules/Collectives.h"
#include "analysis/sharing/SharedExchanges.h"

#include "analysis/collectives/CollectiveContradictions.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/run/LoopInstances.h"
#include "test/analysis/file/FileSamples.h"
#include "test/benchmark/plan-changes/PlanChanges.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <numeric>
#include <vector>

namespace sendwright {
namespace {

std::uint32_t slotsIn(const Schedule &schedule, Collective operation, std::uint32_t ranks) {
  std::uint32_t last = 0;
  for (const std::vector<std::uint32_t> &message : schedule.slots)
    for (const std::uint32_t slot : message)
      last = std::max(last, slot);
  return static_cast<std::uint32_t>(slotsOf(operation, ranks, last > 0));
}

struct PlannedParts {
  PlannedCollective collective;
  std::vector<RankCollective> parts;

  std::string contradiction() const {
    std::vector<const std::vector<CollectiveStep> *> steps;
    for (const RankCollective &part : parts)
      steps.push_back(&part.steps);
    return contradictionIn(collective, steps).value_or("");
  }
};

PlannedParts planned(Collective operation, const CollectiveAlgorithm &algorithm,
                     const CollectiveTask &task) {
  const Schedule schedule = algorithm.schedule(task, defaultMachine().between, SlotsKept::Yes);
  PlannedParts made;
  made.collective.operation = operation;
  std::vector<int> members(task.ranks);
  std::iota(members.begin(), members.end(), 0);
  made.collective.communicator.members = std::move(members);
  made.collective.root = task.root;
  made.collective.algorithm = algorithm.name;
  made.collective.bytes = task.bytes;
  made.collective.slots = slotsIn(schedule, operation, task.ranks);
  made.parts = collectivePartsOf(0, schedule);
  return made;
}

PlannedParts planned(Collective operation, std::string_view name, const CollectiveTask &task) {
  for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
    if (algorithm.name == name)
      return planned(operation, algorithm, task);
  return {};
}

const std::vector<Collective> plannableOperations = {Collective::Broadcast, Collective::Scatter,
                                                     Collective::Gather,    Collective::Allgather,
                                                     Collective::AllToAll,  Collective::Reduce};

TEST(PlanContradictions, EveryScheduleIsItsOperation) {
  for (const Collective operation : plannableOperations)
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
      for (const std::uint32_t ranks : {2u, 3u, 4u, 5u, 7u, 8u, 13u, 16u, 33u})
        for (const std::uint32_t root : {0u, 1u, ranks - 1})
          for (const std::uint64_t bytes : {0u, 3u, 1000u}) {
            if (root != 0 && !hasRoot(operation))
              continue;
            EXPECT_EQ(planned(operation, algorithm, {ranks, bytes, root}).contradiction(), "")
                << nameOf(operation) << ", " << algorithm.name << ", " << ranks << " ranks, root "
                << root << ", " << bytes << " bytes";
          }
}

/// The message about a binomial broadcast among four ranks after a change.
std::string said(const std::function<void(PlannedParts &)> &change) {
  PlannedParts made = planned(Collective::Broadcast, "binomial tree", {4, 8, 0});
  change(made);
  return made.contradiction();
}

TEST(PlanContradictions, FirstContradictionOfACollectiveIsNamed) {
  using Parts = PlannedParts;
  EXPECT_EQ(said([](Parts &) {}), "");
  EXPECT_EQ(said([](Parts &p) { p.parts[1].steps[0].peer = 3; }),
            "rank 1 receives slot 0 from rank 3, which does not send it");
  EXPECT_EQ(said([](Parts &p) { p.parts[1].steps.clear(); }),
            "rank 0 sends slot 0 to rank 1, which does not receive it");
  EXPECT_EQ(said([](Parts &p) { p.parts[1].steps[0].bytes = 9; }),
            "rank 1 receives a message from rank 0 of 9 bytes, whose slots have 8");
  EXPECT_EQ(said([](Parts &p) { p.collective.root = 1; }),
            "rank 0 sends slot 0 to rank 2, which it does not have yet");
  EXPECT_EQ(said([](Parts &p) { p.collective.algorithm = "Bruck"; }),
            "'Bruck', which is not an algorithm of a broadcast");
  EXPECT_EQ(said([](Parts &p) { p.collective.algorithm = "MPI_Bcast"; }),
            "MPI_Bcast is called, and a rank has steps");
  EXPECT_EQ(said([](Parts &p) { p.collective.slots = 16; }),
            "16 slots, which a broadcast of 4 ranks by binomial tree does not have");
}

TEST(PlanContradictions, RanksThatWaitInACircleAreNamed) {
  PlannedParts made = planned(Collective::AllToAll, "pairwise", {2, 8, 0});
  EXPECT_EQ(made.contradiction(), "");
  for (RankCollective &part : made.parts)
    std::swap(part.steps[0], part.steps[1]);
  EXPECT_EQ(made.contradiction(),
            "rank 0 waits for rank 1 for good: ranks wait for one another in a circle");
}

TEST(PlanContradictions, ContributionCountsOnce) {
  PlannedParts made = planned(Collective::Reduce, "linear", {3, 8, 0});
  EXPECT_EQ(made.contradiction(), "");
  PlannedParts twice = made;
  twice.parts[0].steps.push_back(twice.parts[0].steps[0]);
  twice.parts[1].steps.push_back(twice.parts[1].steps[0]);
  EXPECT_EQ(twice.contradiction(), "rank 0 combines a contribution twice");
  made.parts[0].steps.pop_back();
  made.parts[2].steps.clear();
  EXPECT_EQ(made.contradiction(),
            "the result has the contributions of 2 ranks in slot 0, expected 3");
}

/// The message about a plan after a change; "" if there is none.
std::string saidOf(RankCountPlan plan, const std::function<void(RankCountPlan &)> &change) {
  change(plan);
  return contradictionIn(plan, 4).value_or("");
}

TEST(PlanContradictions, FirstContradictionOfAnExchangeIsNamed) {
  using Plan = RankCountPlan;
  const Plan plan = planOfExchanges();
  EXPECT_EQ(saidOf(plan, [](Plan &) {}), "");
  const std::string name = "exchange 0 at program.c:1: ";
  EXPECT_EQ(
      saidOf(
          plan,
          [](Plan &p) { p.of<SharedExchanges>().rankExchanges[1][0].stages[0].receives.clear(); }),
      name + "the message from rank 0 to rank 3 at rank 1 leaves a rank that it has not reached, "
             "or at which it ends");
  EXPECT_EQ(saidOf(plan, [](Plan &p) { p.of<SharedExchanges>().rankExchanges[3].clear(); }),
            name + "its ranks send 9 messages, expected 12");
  EXPECT_EQ(saidOf(plan,
                   [](Plan &p) {
                     std::vector<std::uint32_t> &in =
                         p.of<SharedExchanges>().rankExchanges[1][0].stages[0].receives[0].messages;
                     std::swap(in[0], in[1]);
                   }),
            name + "the combined message of stage 0 from rank 0 to rank 1 has the message from "
                   "rank 0 to rank 1 where it arrives as the message from rank 0 to rank 3");
  EXPECT_EQ(
      saidOf(plan,
             [](Plan &p) { p.of<SharedExchanges>().rankExchanges[3][0].messages[0].tags = {1}; })
          .substr(0, name.size()),
      name);
  EXPECT_EQ(saidOf(plan, [](Plan &p) { p.of<SharedExchanges>().exchanges[0].messages = 11; }),
            name + "its ranks send 12 messages, expected 11");
  EXPECT_EQ(saidOf(plan, [](Plan &p) { p.of<SharedExchanges>().exchanges[0].anySource = {2, 1}; }),
            name + "rank 1 receives from any source: expected members of its communicator, "
                   "ascending");
  EXPECT_EQ(saidOf(plan, [](Plan &p) { p.of<SharedExchanges>().exchanges[1].site = 0; }),
            "site 1 at program.c:1: the plan shares its messages, but has no exchange for them");
}

TEST(PlanContradictions, TurnsNameTheExchangesOfTheirLoop) {
  const RankCountPlan plan = planOfExchanges();
  const auto said = [&](auto change) {
    return saidOf(
        plan, [&](RankCountPlan &changed) { change(changed.of<SharedExchanges>().turns.front()); });
  };
  ASSERT_EQ(plan.of<SharedExchanges>().turns.size(), 1U);
  EXPECT_EQ(said([](LoopTurns &loop) { loop.kinds[0].first = {0, 0}; }), "");
  const std::string name = "turns at program.c:1: ";
  EXPECT_EQ(said([](LoopTurns &loop) { loop.kinds[0].first = {1}; }),
            name + "a turn of exchange 1, which belongs elsewhere");
  EXPECT_EQ(said([](LoopTurns &loop) { loop.kinds[0].cycle = {ExchangeTurns::nothing}; }),
            name + "rank 0 sends in exchange 0, but has no turn of it");
  EXPECT_EQ(said([](LoopTurns &loop) { loop.ofRanks[2] = ExchangeTurns::nothing; }),
            name + "rank 2 sends in exchange 0, but has no turn of it");
  EXPECT_EQ(said([](LoopTurns &loop) { loop.ofRanks.pop_back(); }), name + "turns of 3 ranks");
  EXPECT_EQ(said([](LoopTurns &loop) { loop.kinds[0].cycle.clear(); }),
            name + "turns that do not continue");
}

TEST(PlanContradictions, DecisionsAreThoseOfTheirData) {
  using Plan = RankCountPlan;
  const auto ordered = [](auto change) { return saidOf(planOfOrders(), change); };
  const std::string name = "site 0 at program.c:1: ";
  EXPECT_EQ(ordered([](Plan &) {}), "");
  EXPECT_EQ(ordered([](Plan &p) { p.sites[0].decision = Decision::Leave; }),
            name + "the plan leaves it, but applies 'message-ordering' to it");
  EXPECT_EQ(ordered([](Plan &p) { p.sites[0].transformation = "collectives"; }),
            name + "the plan replaces it, but has no collective for it");
  EXPECT_EQ(ordered([](Plan &p) { p.sites[0].transformation = "inlining"; }),
            name + "the plan applies 'inlining', which is not a transformation");
  EXPECT_EQ(ordered([](Plan &p) { p.of<PlannedOrders>().ranks[2][1].site = 0; }),
            "rank 2 has the orders of site 0 twice");
  EXPECT_EQ(ordered([](Plan &p) {
              for (std::vector<RankSite> &rank : p.of<PlannedOrders>().ranks)
                rank.erase(rank.begin());
            }),
            name + "the plan orders its messages, but no rank has an order");
  EXPECT_EQ(saidOf(planOfCollectives(),
                   [](Plan &p) { p.sites[3].of<SiteCollective>().prediction->bytes = 41; }),
            "site 3 at program.c:1: its collective is not the one that is predicted for it");
}

TEST(PlanContradictions, SynchronizationIsThatOfAllItsMembers) {
  using Plan = RankCountPlan;
  for (const SynchronizationKind kind :
       {SynchronizationKind::Full, SynchronizationKind::Partial, SynchronizationKind::Component})
    EXPECT_EQ(saidOf(planOfSynchronization(kind), [](Plan &) {}), "");
  const Plan partial = planOfSynchronization(SynchronizationKind::Partial);
  const Plan component = planOfSynchronization(SynchronizationKind::Component);
  const std::string name = "synchronisation: ";
  const auto sequence = [](Plan &p, std::size_t rank, std::vector<std::uint32_t> steps) {
    GrammarBuilder builder;
    for (int round = 0; round < 20; ++round)
      for (const std::uint32_t step : steps)
        builder.append(step);
    p.of<SynchronizationPlan>().ranks[rank].sequence = builder.grammar();
  };
  EXPECT_EQ(saidOf(partial, [&](Plan &p) { sequence(p, 1, {0, 1, 0}); }),
            name + "rank 0 meets a group 20 times, and rank 1 of the same group 0 times");
  EXPECT_EQ(saidOf(partial, [&](Plan &p) { sequence(p, 1, {2, 1}); }),
            name + "rank 0 waits for good: ranks wait for one another in a circle");
  EXPECT_EQ(saidOf(component, [&](Plan &p) { sequence(p, 1, {0, 1}); }),
            name + "rank 0 announces 20 boundaries to rank 1, which awaits 0");
  EXPECT_EQ(saidOf(component,
                   [&](Plan &p) {
                     for (std::size_t rank = 0; rank < 4; ++rank)
                       sequence(p, rank, {2, 1});
                   }),
            name + "rank 0 waits for good: ranks wait for one another in a circle");
  EXPECT_EQ(
      saidOf(partial,
             [](Plan &p) { p.of<SynchronizationPlan>().kind = SynchronizationKind::Component; }),
      name + "rank 0 meets a group, which component synchronisation has no step for");
}

Step callOf(MpiFunctionId function, int peer) {
  Step step;
  step.function = function;
  step.peer = peer;
  return step;
}

Step announcement() {
  Step step;
  step.kind = StepKind::Announce;
  return step;
}

Step awaitingOf(int peer) {
  Step step;
  step.kind = StepKind::Await;
  step.peer = peer;
  return step;
}

/// Two ranks, each with its steps in this order; rank 1 announces boundaries to rank 0.
std::string saidOfSteps(const std::vector<Step> &first, const std::vector<Step> &second) {
  RankCountPlan plan = planOfSynchronization(SynchronizationKind::Component);
  SynchronizationPlan &part = plan.of<SynchronizationPlan>();
  for (RankSteps &rank : part.ranks) {
    rank.sequence = {};
    rank.listeners = {{0}};
  }
  const auto set = [&](std::size_t rank, const std::vector<Step> &steps) {
    part.ranks[rank].steps = steps;
    GrammarBuilder builder;
    for (std::uint32_t step = 0; step < steps.size(); ++step)
      builder.append(step);
    part.ranks[rank].sequence = builder.grammar();
  };
  set(0, first);
  set(1, second);
  return contradictionIn(plan, 4).value_or("");
}

TEST(PlanContradictions, NoRankWaitsForARankThatWaitsInACallOfTheProgram) {
  using enum MpiFunctionId;
  const std::string stuck = "synchronisation: rank 0 waits for good: ranks wait for one another in "
                            "a circle, in calls and synchronisations";
  const std::vector<Step> receiver = {callOf(Recv, 0), announcement()};
  EXPECT_EQ(saidOfSteps({callOf(Send, 1), awaitingOf(1)}, receiver), "");
  EXPECT_EQ(saidOfSteps({awaitingOf(1), callOf(Send, 1)}, receiver), stuck);
  EXPECT_EQ(saidOfSteps({callOf(Send, 1), awaitingOf(1)},
                        {callOf(Recv, 0), callOf(Recv, 0), announcement()}),
            stuck);

  Step exchange = callOf(Sendrecv, 1), back = callOf(Sendrecv, 0);
  exchange.receivePeer = 1;
  back.receivePeer = 0;
  EXPECT_EQ(saidOfSteps({exchange, awaitingOf(1)}, {back, announcement()}), "");
  EXPECT_EQ(saidOfSteps({awaitingOf(1), exchange}, {back, announcement()}), stuck);

  Step anySourceReceive = callOf(Recv, anySource);
  EXPECT_EQ(saidOfSteps({awaitingOf(1), callOf(Send, 1)}, {anySourceReceive, announcement()}), "")
      << "the message may be another rank's";
  anySourceReceive.source = 0;
  EXPECT_EQ(saidOfSteps({awaitingOf(1), callOf(Send, 1)}, {anySourceReceive, announcement()}),
            stuck);
  EXPECT_EQ(saidOfSteps({awaitingOf(1), callOf(Send, 1)}, {callOf(Irecv, 0), announcement()}), "");
}

TEST(PlanContradictions, NoRankWaitsForARankThatWaitsInACollective) {
  RankCountPlan plan = planOfSynchronization(SynchronizationKind::Component);
  const auto sequences = [&](std::vector<std::uint32_t> first, std::vector<std::uint32_t> others) {
    std::vector<RankSteps> &ranks = plan.of<SynchronizationPlan>().ranks;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      ranks[rank].steps[0] = callOf(MpiFunctionId::Allreduce, noPeer);
      GrammarBuilder builder;
      for (const std::uint32_t step : rank == 0 ? first : others)
        builder.append(step);
      ranks[rank].sequence = builder.grammar();
    }
    return contradictionIn(plan, 4).value_or("");
  };
  EXPECT_EQ(sequences({1, 0, 2}, {0, 1, 2}), "");
  EXPECT_EQ(sequences({1, 2, 0}, {0, 1, 2}),
            "synchronisation: rank 0 waits for good: ranks wait for one another in a circle, in "
            "calls and synchronisations");
}

TEST(PlanContradictions, LongSequencesAreComparedWithoutBeingFollowed) {
  RankCountPlan plan = planOfSynchronization(SynchronizationKind::Partial);
  for (RankSteps &rank : plan.of<SynchronizationPlan>().ranks)
    rank.sequence.rules = {{{1, true, std::uint64_t{1} << 40}}, {{1, false, 1}, {2, false, 1}}};
  EXPECT_EQ(contradictionIn(plan, 4), std::nullopt);
  plan.of<SynchronizationPlan>().ranks[2].sequence.rules[0][0].repetitions += 1;
  EXPECT_NE(contradictionIn(plan, 4), std::nullopt);
}

/// The plan must be refused where it is read, or be harmless.
void expectNoHarm(const ChangedPlan &changed, std::size_t &accepted) {
  Plan plan;
  plan.machine = defaultMachine();
  plan.rankCounts[4] = changed.plan;
  const std::string file = testing::TempDir() + "changed.plan";
  writePlan(plan, file);
  const std::string bytes = readTextFile(file);
  std::filesystem::remove(file);
  try {
    plan = decodePlan(bytes.data(), bytes.size(), "f");
  } catch (const FormatError &) {
    return;
  }
  ++accepted;
  ASSERT_EQ(harmOf(plan.rankCounts.at(4)), std::nullopt) << changed.change;
}

TEST(PlanContradictions, NoChangeOfACollectiveDoesHarm) {
  const RankCountPlan plan = planOfCollectives();
  ASSERT_EQ(contradictionIn(plan, 4), std::nullopt);
  ASSERT_EQ(harmOf(plan), std::nullopt);
  std::size_t accepted = 0;
  const std::vector<ChangedPlan> changes = everyChangeOfCollectives(plan);
  for (std::size_t index = 0; index < changes.size(); index += 7) // plan-changes/run has all of
                                                                  // them
    expectNoHarm(changes[index], accepted);
  EXPECT_GT(changes.size(), 2000u);
  EXPECT_LT(70 * accepted, changes.size());
}

TEST(PlanContradictions, NoRandomChangeDoesHarm) {
  const std::vector<RankCountPlan> plans = {planOfCollectives(),
                                            planOfExchanges(),
                                            planOfOrders(),
                                            planOfSynchronization(SynchronizationKind::Full),
                                            planOfSynchronization(SynchronizationKind::Partial),
                                            planOfSynchronization(SynchronizationKind::Component)};
  std::mt19937 random(18);
  std::size_t accepted = 0;
  for (int round = 0; round < 500; ++round)
    expectNoHarm(randomChange(plans[static_cast<std::size_t>(round) % plans.size()], random),
                 accepted);
  EXPECT_GT(accepted, 25u);
  EXPECT_LT(accepted, 350u);
}

} // namespace
} // namespace sendwright
