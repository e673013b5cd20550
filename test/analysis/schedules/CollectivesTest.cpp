// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective algorithms: every schedule moves the right data, in the time that its formula gives.

#include "test/analysis/Sanitized.h"
#include "test/analysis/collectives/CollectiveFixture.h"

#include "analysis/machine/MessageCost.h"
#include "analysis/run/LoopInstances.h"
#include "analysis/schedules/MessageTree.h"
#include "analysis/schedules/MpiAlgorithms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace sendwright;

namespace {

/// Fast Ethernet, InfiniBand, a slow processor, and a network dominated by its gap.
std::vector<Machine> fourMachines() {
  std::vector<Machine> machines(4);
  machines[0].between = {60e-6, 100e-6, 20e-6, 0, 85e-9};
  machines[1].between = {0.6e-6, 0.5e-6, 0.3e-6, 0.1e-6, 0.083e-9};
  machines[2].between = {5e-6, 200e-6, 300e-6, 1e-6, 1e-9, 2e-9, 3e-9};
  machines[3].between = {20e-6, 1e-6, 1e-6, 15e-6, 8e-9};
  for (Machine &machine : machines)
    machine.between.eager_limit = 1e9; // the formulas know no handshakes
  return machines;
}

const std::vector<std::uint32_t> someRankCounts = {1,  2,  3,  4,  5,  6,  7,  8, 9,
                                                   12, 13, 16, 17, 24, 31, 32, 33};

std::uint32_t slotsOf(Collective operation, std::uint32_t ranks) {
  return operation == Collective::AllToAll ? ranks * ranks : ranks;
}

/// What each rank holds at first. A block's slot holds the number of the block.
std::vector<Memory> initialMemories(Collective operation, const CollectiveTask &task) {
  std::vector<Memory> memories(task.ranks);
  for (std::uint32_t rank = 0; rank < task.ranks; ++rank) {
    const std::uint32_t relative = (rank + task.ranks - task.root) % task.ranks;
    for (std::uint32_t slot = 0; slot < slotsOf(operation, task.ranks); ++slot)
      switch (operation) {
      case Collective::Broadcast:
      case Collective::Scatter:
        if (rank == task.root)
          memories[rank][slot] = {slot};
        break;
      case Collective::AllToAll:
        if (slot / task.ranks == rank)
          memories[rank][slot] = {slot};
        break;
      case Collective::Gather:
      case Collective::Allgather:
      case Collective::Barrier:
        if (slot == relative)
          memories[rank][slot] = {slot};
        break;
      default: // reductions: every rank has a contribution to every slot
        memories[rank][slot] = {rank};
      }
  }
  return memories;
}

bool isPermutation(Contributions found, std::uint32_t ranks) {
  std::sort(found.begin(), found.end());
  return found == ranksFrom(0, ranks);
}

/// Whether the rank ends with what the operation promises it. `used`: the slots that messages
/// carried; for a broadcast or a reduction only these count.
bool endsWell(Collective operation, const CollectiveTask &task, std::uint32_t rank, Memory &memory,
              const std::set<std::uint32_t> &used) {
  const std::uint32_t relative = (rank + task.ranks - task.root) % task.ranks;
  auto holds = [&](std::uint32_t slot) { return memory[slot] == Contributions{slot}; };
  auto all = [&](auto &&good) { return std::all_of(used.begin(), used.end(), good); };
  auto combined = [&](std::uint32_t slot) { return isPermutation(memory[slot], task.ranks); };
  switch (operation) {
  case Collective::Broadcast:
  case Collective::Allgather:
  case Collective::Barrier:
    return all(holds);
  case Collective::Scatter:
    return holds(relative);
  case Collective::Gather:
    return rank != task.root || all(holds);
  case Collective::AllToAll:
    return all([&](std::uint32_t slot) { return slot % task.ranks != rank || holds(slot); });
  case Collective::Reduce:
    return rank != task.root || all(combined);
  case Collective::ReduceScatter:
    return task.ranks == 1 || combined(relative);
  case Collective::Allreduce:
    return all(combined);
  case Collective::Scan:
    return memory[0] == ranksFrom(0, rank + 1);
  }
  return false;
}

std::string describe(Collective operation, const CollectiveAlgorithm &algorithm,
                     const CollectiveTask &task) {
  return std::string(nameOf(operation)) + ", " + std::string(algorithm.name) + ", " +
         std::to_string(task.ranks) + " ranks of " + std::to_string(task.bytes) + " bytes, root " +
         std::to_string(task.root);
}

void expectRightData(Collective operation, const CollectiveAlgorithm &algorithm,
                     const CollectiveTask &task, const LinkParameters &link) {
  const Schedule schedule = algorithm.schedule(task, link, SlotsKept::Yes);
  ASSERT_EQ(schedule.slots.size(), schedule.messages.size());
  SymbolicRun run = SymbolicExecution(schedule, initialMemories(operation, task)).execute();
  EXPECT_EQ(run.problem, "") << describe(operation, algorithm, task);
  std::set<std::uint32_t> used;
  for (const std::vector<std::uint32_t> &slots : schedule.slots)
    used.insert(slots.begin(), slots.end());
  for (std::uint32_t rank = 0; rank < task.ranks; ++rank)
    EXPECT_TRUE(endsWell(operation, task, rank, run.memories[rank], used))
        << describe(operation, algorithm, task) << ", rank " << rank;
}

double simulatedSeconds(const CollectiveAlgorithm &algorithm, const CollectiveTask &task,
                        const Machine &machine) {
  const std::vector<double> done =
      simulateSchedule(algorithm.schedule(task, machine.between, SlotsKept::No), machine);
  return *std::max_element(done.begin(), done.end());
}

/// The best time to inform `ranks` nodes, found by trying every order in which nodes that have the
/// message send it on. `free`: when each of these nodes can send next.
double exhaustiveBroadcast(std::vector<double> free, std::uint32_t left, double latest,
                           const MessageCost &cost) {
  if (left == 0)
    return latest;
  double best = -1;
  for (std::size_t node = 0; node < free.size(); ++node) {
    std::vector<double> then = free;
    const double arrival = free[node] + cost.delivery();
    then[node] += cost.sendInterval();
    then.push_back(arrival);
    const double seconds =
        exhaustiveBroadcast(std::move(then), left - 1, std::max(latest, arrival), cost);
    if (best < 0 || seconds < best)
      best = seconds;
  }
  return best;
}

} // namespace

TEST(Collectives, NamesWithinAnOperationDiffer) {
  for (Collective operation : allCollectives()) {
    std::set<std::string_view> names;
    for (const auto *algorithms : {&algorithmsOf(operation), &furtherAlgorithmsOf(operation)})
      for (const CollectiveAlgorithm &algorithm : *algorithms)
        EXPECT_TRUE(names.insert(algorithm.name).second)
            << nameOf(operation) << ", " << algorithm.name;
    EXPECT_FALSE(algorithmsOf(operation).empty()) << nameOf(operation);
  }
}

TEST(Collectives, EveryScheduleMovesTheRightData) {
  const LinkParameters link = fourMachines()[0].between;
  for (Collective operation : allCollectives())
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
      for (std::uint32_t ranks : someRankCounts) {
        expectRightData(operation, algorithm, {ranks, 1000, 0}, link);
        if (hasRoot(operation))
          for (std::uint32_t root : {1u, ranks - 1})
            if (root < ranks)
              expectRightData(operation, algorithm, {ranks, 1000, root}, link);
      }
}

TEST(Collectives, ReductionsKeepTheOrderOfOperandsWhereTheySaySo) {
  const LinkParameters link = fourMachines()[0].between;
  for (Collective operation : {Collective::Reduce, Collective::Allreduce})
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation)) {
      if (algorithm.name.starts_with("ring"))
        continue;
      for (std::uint32_t ranks : someRankCounts) {
        const CollectiveTask task{ranks, 8, 0};
        const Schedule schedule = algorithm.schedule(task, link, SlotsKept::Yes);
        SymbolicRun run = SymbolicExecution(schedule, initialMemories(operation, task)).execute();
        EXPECT_EQ(run.memories[0][0], ranksFrom(0, ranks)) << describe(operation, algorithm, task);
      }
    }
}

TEST(Collectives, MessagesHoldAsManyBytesAsTheirSlots) {
  const LinkParameters link = fourMachines()[0].between;
  for (Collective operation :
       {Collective::Scatter, Collective::Gather, Collective::Allgather, Collective::AllToAll})
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
      for (std::uint32_t ranks : someRankCounts) {
        const Schedule schedule = algorithm.schedule({ranks, 10, 0}, link, SlotsKept::Yes);
        for (std::size_t index = 0; index < schedule.messages.size(); ++index)
          EXPECT_EQ(schedule.messages[index].bytes, 10 * schedule.slots[index].size());
      }
}

TEST(Collectives, PiecesOfAMessageAddUp) {
  const LinkParameters link = fourMachines()[0].between;
  for (std::uint32_t ranks : {3u, 7u, 8u}) {
    // In the ring every rank gets all pieces but its own once.
    const Schedule schedule =
        algorithmsOf(Collective::Broadcast)[3].schedule({ranks, 1001, 0}, link, SlotsKept::Yes);
    std::uint64_t bytes = 0;
    for (std::size_t index = schedule.messages.size() - ranks * (ranks - 1);
         index < schedule.messages.size(); ++index)
      bytes += schedule.messages[index].bytes;
    EXPECT_EQ(bytes, 1001 * (ranks - 1));
  }
}

TEST(Collectives, SimulationAgreesWithTheFormula) {
  for (const Machine &machine : fourMachines())
    for (Collective operation : allCollectives())
      for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation))
        for (std::uint32_t ranks : someRankCounts)
          for (std::uint64_t bytes : {0, 1, 100, 3840, 1000000}) {
            const CollectiveTask task{ranks, bytes, 0};
            const double formula = algorithm.seconds(task, machine.between);
            const double simulated = simulatedSeconds(algorithm, task, machine);
            const double tolerance = 1e-9 * formula + 1e-15;
            const FormulaKind kind = algorithm.kind(ranks);
            if (kind != FormulaKind::Estimate) {
              EXPECT_LE(simulated, formula + tolerance) << describe(operation, algorithm, task);
            } else {
              EXPECT_LE(simulated, 1.5 * formula) << describe(operation, algorithm, task);
            }
            if (kind == FormulaKind::Exact) {
              EXPECT_GE(simulated, formula - tolerance) << describe(operation, algorithm, task);
            }
          }
}

TEST(Collectives, MpiMayTakeAlgorithmsThatAreNeverBest) {
  for (Machine machine : fourMachines())
    for (const Collective operation : allCollectives())
      for (const CollectiveAlgorithm &algorithm : furtherAlgorithmsOf(operation)) {
        machine.collectives[std::string(nameOf(operation))] = {{1, 0, std::string(algorithm.name)}};
        const LinkParameters &link = machine.between;
        for (std::uint32_t ranks : someRankCounts)
          for (std::uint32_t root : {0u, operation == Collective::Broadcast ? ranks - 1 : 0u}) {
            const CollectiveTask task{ranks, 100, root};
            const CollectiveAlgorithm &taken = mpiAlgorithm(machine, operation, task, link);
            EXPECT_EQ(taken.name, algorithm.name);
            expectRightData(operation, taken, task, link);
            const double most = taken.kind(ranks) == FormulaKind::Estimate ? 1.5 : 1 + 1e-9;
            EXPECT_LE(simulatedSeconds(taken, task, machine),
                      taken.seconds(task, link) * most + 1e-15)
                << describe(operation, taken, task);
          }
      }
}

TEST(Collectives, AllreduceAlongTreesTakesLongerThanByDoubling) {
  // Six levels up, and seven down in which a right child waits for a send: 128 ranks.
  const Machine machine = fourMachines()[1];
  const CollectiveTask task{128, 8, 0};
  const MessageCost cost = messageCost(machine.between, 8);
  for (const CollectiveAlgorithm &algorithm : furtherAlgorithmsOf(Collective::Allreduce))
    if (algorithm.name == "reduce + binary broadcast") {
      EXPECT_NEAR(simulatedSeconds(algorithm, task, machine),
                  7 * cost.delivery() + 6 * (cost.delivery() + cost.sendInterval()), 1e-12);
    }
}

TEST(Collectives, OptimalBroadcastTreeIsNeverWorseThanBinomial) {
  for (const Machine &machine : fourMachines())
    for (std::uint64_t bytes : {1, 10000})
      for (std::uint32_t ranks = 2; ranks <= 1024; ranks += sanitized ? 11 : 1) {
        const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(Collective::Broadcast);
        const CollectiveTask task{ranks, bytes, 0};
        const double binomial = simulatedSeconds(algorithms[1], task, machine);
        const double optimal = simulatedSeconds(algorithms[2], task, machine);
        ASSERT_LE(optimal, binomial * (1 + 1e-12)) << ranks << " ranks, " << bytes << " bytes";
      }
}

TEST(Collectives, OptimalBroadcastTreeEqualsExhaustiveSearch) {
  for (const Machine &machine : fourMachines())
    for (std::uint64_t bytes : {1, 1000, 100000})
      for (std::uint32_t ranks = 2; ranks <= 9; ++ranks) {
        const MessageCost cost = messageCost(machine.between, static_cast<double>(bytes));
        const double best = exhaustiveBroadcast({0.0}, ranks - 1, 0, cost);
        const TreeSplits tree =
            optimalTree(machine.between, ranks, static_cast<double>(bytes), TreeLoad::Same);
        EXPECT_NEAR(tree.seconds, best, 1e-12 * best) << ranks << " ranks, " << bytes << " bytes";
      }
}

TEST(Collectives, OptimalScatterTreeIsNoWorseThanLinearAndBinomial) {
  for (const Machine &machine : fourMachines())
    for (std::uint64_t bytes : {1, 1000, 100000})
      for (std::uint32_t ranks : {2u, 3u, 8u, 24u, 100u, 512u}) {
        const std::vector<CollectiveAlgorithm> &algorithms = algorithmsOf(Collective::Scatter);
        const CollectiveTask task{ranks, bytes, 0};
        const double optimal = simulatedSeconds(algorithms[2], task, machine);
        EXPECT_LE(optimal, simulatedSeconds(algorithms[0], task, machine) * (1 + 1e-12));
        EXPECT_LE(optimal, simulatedSeconds(algorithms[1], task, machine) * (1 + 1e-12));
      }
}

TEST(Collectives, TreesAreWholeWhereLargeMessagesAreCheaper) {
  // A small message needs a gap of ten seconds, so a subtree may take less than a leaf.
  LinkParameters link{3e-5, 1e-8, 1e-5, 10.0, 8e-9, 1e-9, 2e-9, 4096, 1e-5};
  link.large = LargeMessages{1462, 2e-5, 0, 1e-8, 0};
  const TreeSplits splits = optimalTree(link, 64, 1000, TreeLoad::Subtree);
  for (std::uint32_t nodes = 2; nodes <= 64; ++nodes) {
    EXPECT_GT(splits.split[nodes], 0u) << nodes;
    EXPECT_LT(splits.split[nodes], nodes);
  }
}
