// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plan-changes read COUNT SEED         so many random changes of each kind of plan, in process:
//                                      prints how many are refused and how many of the others do
//                                      harm; exit status 1 where one does
// plan-changes base KIND PLAN          writes a plan that is not changed: collectives, exchanges or
//                                      orders
// plan-changes write PLAN FOLDER COUNT SEED [every]
//                                      writes changed copies of a plan for four ranks, behind right
//                                      checksums, as FOLDER/1.plan, ..., and FOLDER/changes, a line
//                                      each: accepted or refused, and what was changed; with
//                                      "every" each change of a collective first
// plan-changes time RANKS              how long reading and verifying a plan for so many ranks
//                                      takes, in seconds of the processor

#include "analysis/collectives/ChosenSchedule.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/PlanContradictions.h"
#include "analysis/schedules/Collectives.h"
#include "test/benchmark/plan-changes/PlanChanges.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <numeric>
#include <string_view>

using namespace sendwright;

namespace {

std::string bytesOf(const RankCountPlan &part, int ranks, const std::string &file) {
  Plan plan;
  plan.machine = defaultMachine();
  plan.rankCounts[ranks] = part;
  writePlan(plan, file);
  return readTextFile(file);
}

/// Whether the reader accepts the bytes.
bool isRead(const std::string &bytes, Plan &plan) {
  try {
    plan = decodePlan(bytes.data(), bytes.size(), "changed.plan");
    return true;
  } catch (const FormatError &) {
    return false;
  }
}

int readChanges(int count, unsigned seed) {
  const std::pair<const char *, RankCountPlan> plans[] = {
      {"collectives", planOfCollectives()},
      {"exchanges", planOfExchanges()},
      {"orders", planOfOrders()},
      {"full synchronisation", planOfSynchronization(SynchronizationKind::Full)},
      {"partial synchronisation", planOfSynchronization(SynchronizationKind::Partial)},
      {"component synchronisation", planOfSynchronization(SynchronizationKind::Component)}};
  const std::string file = "changed-" + std::to_string(seed) + ".plan";
  std::mt19937 random(seed);
  int harmful = 0;
  for (const auto &[name, plan] : plans) {
    std::vector<ChangedPlan> changes = everyChangeOfCollectives(plan);
    while (changes.size() < static_cast<std::size_t>(count))
      changes.push_back(randomChange(plan, random));
    int refused = 0, harmless = 0;
    for (const ChangedPlan &changed : changes) {
      Plan read;
      if (!isRead(bytesOf(changed.plan, 4, file), read)) {
        ++refused;
      } else if (const auto harm = harmOf(read.rankCounts.at(4))) {
        ++harmful;
        std::printf("%s: %s: %s\n", name, changed.change.c_str(), harm->c_str());
      } else {
        ++harmless;
      }
    }
    std::printf("%-26s %6zu changed plans: %6d refused, %6d accepted and harmless\n", name,
                changes.size(), refused, harmless);
  }
  std::remove(file.c_str());
  std::printf("%d accepted plans do harm\n", harmful);
  return harmful > 0;
}

void writeBase(const std::string &kind, const std::string &file) {
  bytesOf(kind == "collectives" ? planOfCollectives()
          : kind == "exchanges" ? planOfExchanges()
                                : planOfOrders(),
          4, file);
}

void writeChanges(const std::string &base, const std::string &folder, std::size_t count,
                  unsigned seed, bool every) {
  const RankCountPlan plan = readPlan(base).rankCounts.at(4);
  std::mt19937 random(seed);
  std::vector<ChangedPlan> changes;
  if (every)
    changes = everyChangeOfCollectives(plan);
  while (changes.size() < count)
    changes.push_back(randomChange(plan, random));
  if (every)
    std::shuffle(changes.begin(), changes.end(), random);
  changes.resize(count);
  std::ofstream list(folder + "/changes");
  for (std::size_t index = 0; index < changes.size(); ++index) {
    Plan read;
    const std::string bytes =
        bytesOf(changes[index].plan, 4, folder + "/" + std::to_string(index + 1) + ".plan");
    list << (isRead(bytes, read) ? "accepted " : "refused ") << changes[index].change << '\n';
  }
}

/// Processor time that `work` takes.
double seconds(const std::function<void()> &work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// One collective of each algorithm that can be planned for so many ranks.
RankCountPlan largePlan(std::uint32_t ranks) {
  RankCountPlan plan;
  plan.of<PlannedOrders>().ranks.resize(ranks);
  std::vector<int> members(ranks);
  std::iota(members.begin(), members.end(), 0);
  Communicator world;
  world.members = members;
  for (const auto &[operation, name] :
       {std::pair(Collective::Broadcast, "scatter + ring allgather"),
        std::pair(Collective::AllToAll, "Bruck"), std::pair(Collective::AllToAll, "pairwise"),
        std::pair(Collective::Reduce, "ring reduce-scatter + gather")})
    for (const CollectiveAlgorithm &algorithm : algorithmsOf(operation)) {
      if (algorithm.name != name)
        continue;
      const auto site = static_cast<std::uint32_t>(plan.sites.size());
      plan.sites.emplace_back().decision = Decision::Rewrite;
      plan.sites.back().transformation = "collectives";
      const Schedule schedule =
          algorithm.schedule({ranks, 1000, 0}, defaultMachine().between, SlotsKept::Yes);
      addCollective(plan.of<PlannedCollectives>(), ranks, site,
                    {site, operation, world, 0, name, 1000,
                     static_cast<std::uint32_t>(slotsOf(operation, ranks, true))},
                    collectivePartsOf(0, schedule));
    }
  return plan;
}

void measure(std::uint32_t ranks) {
  const RankCountPlan plan = largePlan(ranks);
  const std::string bytes = bytesOf(plan, static_cast<int>(ranks), "large.plan");
  std::remove("large.plan");
  Plan read;
  const double all = seconds([&] { read = decodePlan(bytes.data(), bytes.size(), "f"); });
  const double verified = seconds([&] { refuseContradictions(read, "f"); });
  const double atStart = seconds(
      [&] { contradictionInJointParts(bytes.data(), bytes.size(), "f", static_cast<int>(ranks)); });
  const double ownPart =
      seconds([&] { decodeRankPlan(bytes.data(), bytes.size(), "f", static_cast<int>(ranks), 0); });
  std::printf("%u ranks, %zu bytes: read %.4f s, of which verifying %.4f s; when MPI begins %.4f s "
              "at rank 0, and %.4f s for its own part\n",
              ranks, bytes.size(), all, verified, atStart, ownPart);
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  try {
    if (what == "read" && argc == 4)
      return readChanges(std::atoi(argv[2]), static_cast<unsigned>(std::atoi(argv[3])));
    if (what == "base" && argc == 4)
      return writeBase(argv[2], argv[3]), 0;
    if (what == "write" && (argc == 6 || argc == 7))
      return writeChanges(argv[2], argv[3], std::strtoul(argv[4], nullptr, 10),
                          static_cast<unsigned>(std::atoi(argv[5])), argc == 7),
             0;
    if (what == "time" && argc == 3)
      return measure(static_cast<std::uint32_t>(std::atoi(argv[2]))), 0;
  } catch (const FormatError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: plan-changes read COUNT SEED | base KIND PLAN | write PLAN FOLDER "
                       "COUNT SEED [every] | time RANKS\n");
  return 2;
}
