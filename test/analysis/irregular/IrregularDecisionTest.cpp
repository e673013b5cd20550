// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which irregular collectives the plan replaces, and why it leaves the others.

#include "analysis/file/FormatError.h"
#include "analysis/irregular/IrregularCollectives.h"
#include "analysis/plan/KnownSections.h"
#include "analysis/replay/RunSimulation.h"
#include "test/analysis/planner/PlannerFixture.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

constexpr int members = 16;

/// A machine on which MPI_Alltoallv goes from partner to partner.
PlannerOptions pairwiseMachine() {
  PlannerOptions options;
  options.machine = defaultMachine();
  options.machine.collectives["alltoallv"] = {{1, 0, "pairwise", 0}};
  return options;
}

/// Each rank has 8 bytes for each of the `partners` ranks after it, and for itself.
void addSparseCalls(RunBuilder &run, int calls, int partners, int communicator = 0,
                    MpiFunctionId function = MpiFunctionId::Alltoallv) {
  const std::vector<int> group = run.profile.ranks[0].communicators[communicator].members;
  const auto size = static_cast<int>(group.size());
  for (int call = 0; call < calls; ++call)
    for (int member = 0; member < size; ++member) {
      std::vector<std::pair<int, std::uint64_t>> blocks;
      for (int distance = 0; distance <= partners; ++distance)
        blocks.push_back({group[(member + distance) % size], 8});
      run.alltoallv(group[member], blocks, communicator, function);
    }
}

const IrregularCollectives &irregularOf(const ProfilePlan &plan) {
  return plan.plan.of<IrregularCollectives>();
}

void expectLeftBecause(const ProfilePlan &plan, const char *reason) {
  EXPECT_TRUE(irregularOf(plan).replaced.empty());
  ASSERT_EQ(irregularOf(plan).decisions.size(), 1u);
  EXPECT_FALSE(irregularOf(plan).decisions[0].replaced);
  EXPECT_NE(irregularOf(plan).decisions[0].reason.find(reason), std::string::npos)
      << irregularOf(plan).decisions[0].reason;
}

TEST(IrregularDecision, ReplacesSparseCallsThatGoFromPartnerToPartner) {
  RunBuilder run(members);
  addSparseCalls(run, 10, 2);
  const ProfilePlan plan = planOf(run, pairwiseMachine());
  ASSERT_EQ(irregularOf(plan).replaced.size(), 1u);
  EXPECT_EQ(irregularOf(plan).replaced[0].calls.communicator,
            run.profile.ranks[0].communicators[0]);
  const IrregularDecision &decision = irregularOf(plan).decisions.at(0);
  EXPECT_TRUE(decision.replaced);
  EXPECT_EQ(decision.count, 10u);
  // Fifteen steps, one after another, against two messages at once.
  EXPECT_GT(decision.written, 5 * decision.planned);
}

TEST(IrregularDecision, LeavesCallsThatMpiDoesInTheSameWay) {
  RunBuilder run(members);
  addSparseCalls(run, 10, 2);
  expectLeftBecause(planOf(run), "not predicted to be clearly faster");
}

TEST(IrregularDecision, LeavesCallsInWhichMostRanksGetSomething) {
  RunBuilder run(members);
  for (int call = 0; call < 10; ++call)
    for (int rank = 0; rank < members; ++rank)
      run.denseAlltoallv(rank, 8 * members);
  expectLeftBecause(planOf(run, pairwiseMachine()), "in 10 of 10 calls some rank has data");
}

TEST(IrregularDecision, LeavesCallsThatGainLessThanTheStartTakes) {
  RunBuilder run(members);
  addSparseCalls(run, 1, 2);
  PlannerOptions options = pairwiseMachine();
  options.machine.duplication = {members, 1};
  expectLeftBecause(planOf(run, options), "less than the start takes");
}

TEST(IrregularDecision, LetsSmallBlocksTravelThroughOtherRanks) {
  RunBuilder run(32);
  addSparseCalls(run, 10, 14);
  PlannerOptions options = pairwiseMachine();
  const ProfilePlan plan = planOf(run, options);
  ASSERT_EQ(irregularOf(plan).replaced.size(), 1u);
  EXPECT_GT(irregularOf(plan).replaced[0].stages, 1u);
  EXPECT_EQ(irregularOf(plan).replaced[0].largest, 8u);
  EXPECT_EQ(irregularOf(plan).routes.size(), 32u);
  EXPECT_EQ(knownSectionsOf(irregularStem)->contradictionAmongRanks(plan.plan, 32), std::nullopt);

  options.leftOut = {"message-sharing"};
  const ProfilePlan direct = planOf(run, options);
  ASSERT_EQ(irregularOf(direct).replaced.size(), 1u);
  EXPECT_EQ(irregularOf(direct).replaced[0].stages, 0u);
  EXPECT_LT(irregularOf(plan).decisions[0].planned, irregularOf(direct).decisions[0].planned);
}

TEST(IrregularDecision, LetsBlocksOfNeighborsTravelThroughOtherRanks) {
  RunBuilder run(32);
  addSparseCalls(run, 10, 14, 0, MpiFunctionId::Neighbor_alltoallv);
  PlannerOptions options = pairwiseMachine(); // only MPI_Alltoallv goes from partner to partner
  options.replay = RunReplay::Choose;
  const ProfilePlan plan = planOf(run, options);
  ASSERT_EQ(irregularOf(plan).replaced.size(), 1u);
  EXPECT_GT(irregularOf(plan).replaced[0].stages, 1u);
  const IrregularDecision &decision = irregularOf(plan).decisions.at(0);
  EXPECT_LT(decision.planned, 0.9 * decision.written);
  ASSERT_TRUE(plan.run.has_value());
  EXPECT_NEAR(plan.run->asWritten - plan.run->chosen, 10 * (decision.written - decision.planned),
              decision.written);
}

/// Each rank but the root has some bytes for it.
void addGathers(RunBuilder &run, int calls, MpiFunctionId function) {
  const auto ranks = static_cast<int>(run.profile.ranks.size());
  for (int call = 0; call < calls; ++call)
    for (int rank = 0; rank < ranks; ++rank) {
      Event event;
      event.function = function;
      event.peer = 0;
      event.bytes = 8u * (1u + static_cast<unsigned>(rank) % 3);
      run.add(rank, event);
    }
}

TEST(IrregularDecision, LetsBlocksForOneRankTravelThroughOtherRanks) {
  for (const MpiFunctionId function : {MpiFunctionId::Gatherv, MpiFunctionId::Scatterv}) {
    RunBuilder run(64);
    addGathers(run, 10, function);
    PlannerOptions options = pairwiseMachine();
    options.machine.between.o_send = options.machine.between.o_recv = 1e-6;
    const ProfilePlan plan = planOf(run, options);
    ASSERT_EQ(irregularOf(plan).decisions.size(), 1u);
    EXPECT_TRUE(irregularOf(plan).decisions[0].replaced) << irregularOf(plan).decisions[0].reason;
    EXPECT_NE(irregularOf(plan).decisions[0].reason.find("at most 63 blocks leave or reach a rank"),
              std::string::npos);
  }
}

/// Each rank has some bytes for all others.
void addGathersToAll(RunBuilder &run, int calls, MpiFunctionId function) {
  const auto ranks = static_cast<int>(run.profile.ranks.size());
  for (int call = 0; call < calls; ++call)
    for (int rank = 0; rank < ranks; ++rank) {
      Event event;
      event.function = function;
      event.bytes = 8u * (1u + static_cast<unsigned>(rank) % 3);
      run.add(rank, event);
    }
}

TEST(IrregularDecision, LetsBlocksForAllTravelThroughOtherRanksWhereMpiIsSlow) {
  RunBuilder run(64);
  addGathersToAll(run, 10, MpiFunctionId::Allgatherv);
  PlannerOptions options = pairwiseMachine();
  options.machine.measured_collectives = {{"allgather", 64, 8, 1e-2},
                                          {"allgather", 64, 4096, 1e-2}};
  const ProfilePlan plan = planOf(run, options);
  ASSERT_EQ(irregularOf(plan).replaced.size(), 1u) << irregularOf(plan).decisions.at(0).reason;
  const ReplacedIrregular &replaced = irregularOf(plan).replaced[0];
  EXPECT_GT(replaced.stages, 1u);
  EXPECT_EQ(replaced.largest, 24u);
  EXPECT_DOUBLE_EQ(irregularOf(plan).decisions[0].written, 1e-2);
  EXPECT_EQ(knownSectionsOf(irregularStem)->contradictionAmongRanks(plan.plan, 64), std::nullopt);
}

TEST(IrregularDecision, LeavesBlocksForAllToTheAlgorithmsOfMpi) {
  RunBuilder run(64);
  addGathersToAll(run, 10, MpiFunctionId::Allgatherv);
  expectLeftBecause(planOf(run, pairwiseMachine()), "not predicted to be clearly faster");
  RunBuilder other(64);
  addGathersToAll(other, 10, MpiFunctionId::Iallgatherv);
  expectLeftBecause(planOf(other, pairwiseMachine()), "before its blocks have arrived");
}

TEST(IrregularDecision, HasOneCopyOfABlockInACombinedMessage) {
  RankExchange part;
  for (const int source : {0, 3})
    for (const int destination : {1, 2})
      part.messages.push_back({source, destination, {}});
  const Transfer transfer{5, {0, 1, 2, 3}};
  EXPECT_EQ(blocksIn(part, transfer, MpiFunctionId::Alltoallv).size(), 4u);
  for (const MpiFunctionId function :
       {MpiFunctionId::Allgatherv, MpiFunctionId::Neighbor_allgather})
    EXPECT_EQ(blocksIn(part, transfer, function), (std::vector<std::uint32_t>{0, 2}));
}

TEST(IrregularDecision, LeavesFewNeighborsWhoseMessagesMpiSendsAtOnce) {
  RunBuilder run(members);
  addSparseCalls(run, 10, 2, 0, MpiFunctionId::Neighbor_alltoallw);
  expectLeftBecause(planOf(run, pairwiseMachine()), "not predicted to be clearly faster");
}

TEST(IrregularDecision, LeavesCallsThatDoNotWait) {
  for (const MpiFunctionId function :
       {MpiFunctionId::Ialltoallv, MpiFunctionId::Ineighbor_alltoallv}) {
    RunBuilder run(32);
    addSparseCalls(run, 10, 14, 0, function);
    expectLeftBecause(planOf(run, pairwiseMachine()), "goes on before its blocks have arrived");
  }
}

TEST(IrregularDecision, IsOneForEachCommunicator) {
  RunBuilder run(members);
  const int evens = run.addCommunicator({14, 12, 10, 8, 6, 4, 2, 0});
  addSparseCalls(run, 10, 1, evens);
  for (int call = 0; call < 10; ++call)
    for (int rank = 0; rank < members; ++rank)
      run.denseAlltoallv(rank, 8 * members);
  const ProfilePlan plan = planOf(run, pairwiseMachine());
  ASSERT_EQ(irregularOf(plan).replaced.size(), 1u);
  EXPECT_EQ(irregularOf(plan).replaced[0].calls.communicator.members.size(), 8u);
  EXPECT_EQ(irregularOf(plan).decisions.size(), 2u);
}

TEST(IrregularDecision, LeavesIntercommunicators) {
  RunBuilder run(4);
  const int other = run.addCommunicator({0, 1}, true);
  for (int rank = 0; rank < 2; ++rank)
    run.denseAlltoallv(rank, 8, other);
  EXPECT_TRUE(irregularOf(planOf(run, pairwiseMachine())).decisions.empty());
}

TEST(IrregularDecision, IsReplayedAsItIsPredicted) {
  RunBuilder run(members);
  addSparseCalls(run, 1, 2);
  run.barrier(); // the next collective is still the barrier
  const PlannerOptions options = pairwiseMachine();
  const ProfilePlan plan = planOf(run, options);
  const Timeline timeline = unroll(run.profile, 1'000'000);
  const SendLoops loops = findSendLoops(run.profile, timeline, {});
  const double written = simulateRun(run.profile, timeline, options.machine).seconds;
  const double planned =
      simulateRun(run.profile, timeline, options.machine, &loops, &plan.plan).seconds;
  const IrregularDecision &decision = irregularOf(plan).decisions.at(0);
  EXPECT_NEAR(written - planned, decision.written - decision.planned, 0.1 * decision.written);
}

TEST(IrregularDecision, TheWholeRunKnowsOfIt) {
  RunBuilder run(members);
  addSparseCalls(run, 10, 2);
  PlannerOptions options = pairwiseMachine();
  options.replay = RunReplay::Choose;
  const ProfilePlan plan = planOf(run, options);
  ASSERT_TRUE(plan.run.has_value());
  EXPECT_LT(plan.run->chosen, plan.run->asWritten / 3);
}

TEST(IrregularDecision, IsReadAsItWasWritten) {
  RunBuilder run(members);
  addSparseCalls(run, 10, 2);
  const ProfilePlan plan = planOf(run, pairwiseMachine());
  const IrregularCollectives &own = irregularOf(plan);
  ByteWriter replaced, decisions;
  encodeIrregular(replaced, own.replaced);
  encodeIrregularDecisions(decisions, own.decisions);
  const std::string first = replaced.take(), second = decisions.take();
  ByteReader in(first, "plan"), reasons(second, "plan");
  EXPECT_EQ(decodeIrregular(in, members), own.replaced);
  const std::vector<IrregularDecision> read = decodeIrregularDecisions(reasons, members);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].reason, own.decisions[0].reason);
  EXPECT_EQ(read[0].calls, own.decisions[0].calls);
}

TEST(IrregularDecision, RefusesOtherFunctionsInAFile) {
  ByteWriter out;
  encodeIrregular(out, {{{MpiFunctionId::Bcast, {{0, 1}, 0, false}}, 0, 0}});
  const std::string bytes = out.take();
  ByteReader in(bytes, "plan");
  EXPECT_THROW(decodeIrregular(in, 2), FormatError);
}

} // namespace
} // namespace sendwright
