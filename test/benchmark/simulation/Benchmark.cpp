// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulation-benchmark PROGRAM RANKS ROUNDS: processor time and memory to simulate a run, for the
// programs of test/benchmark/epochs (heat, fourier) and for allreduce, in which all ranks do
// nothing else. For loops, in which each round has eight send loops and four barriers: to plan the
// run, which replays it to choose.

#include "analysis/planner/Planner.h"
#include "analysis/program/UnitSummary.h"
#include "analysis/replay/RunSimulation.h"
#include "test/analysis/run/RunBuilder.h"
#include "test/benchmark/epochs/Applications.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>
#include <sys/resource.h>

namespace sendwright {

namespace {

Profile allreduceRounds(int ranks, int rounds) {
  Profile profile;
  profile.ranks.resize(static_cast<std::size_t>(ranks));
  Communicator world;
  std::vector<int> everyone(static_cast<std::size_t>(ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  world.members = std::move(everyone);
  for (RankProfile &rank : profile.ranks) {
    rank.communicators.push_back(world);
    Event event;
    event.function = MpiFunctionId::Allreduce;
    event.bytes = 8;
    rank.events.push_back(event);
    rank.sequence.rules.push_back({{0, false, static_cast<std::uint64_t>(rounds)}});
  }
  return profile;
}

SiteIdentity placeAt(unsigned line) { return {"app.c", "exchange", line, 0, line, ""}; }

/// Rank 0 sends to all others in a loop that the source says is a broadcast.
void addBroadcast(RunBuilder &run, unsigned line, UnitSummary &unit) {
  const int site = run.addSite(line), call = static_cast<int>(run.profile.callSites.size());
  run.profile.callSites.push_back(placeAt(line + 1));
  run.profile.callSites.push_back(placeAt(line + 2));
  unit.collectives.push_back(
      {Collective::Broadcast, placeAt(line), {placeAt(line + 1)}, {placeAt(line + 2)}, "", ""});
  const int ranks = static_cast<int>(run.profile.ranks.size());
  for (int rank = 1; rank < ranks; ++rank)
    run.receive(rank, 0);
  run.enter(0, site);
  for (int rank = 1; rank < ranks; ++rank)
    run.send(0, rank, 64, site);
  run.leave(0, site);
  for (RankProfile &rank : run.profile.ranks)
    for (Event &event : rank.events)
      if (event.call == noSite && event.function == MpiFunctionId::Recv)
        event.call = call + 1;
      else if (event.site == site && sendsMessage(event))
        event.call = call;
}

/// Every rank sends to up to sixteen others in each of eight loops, and computes after each; all
/// ranks meet after every second loop. The last `broadcasts` loops are broadcasts.
Profile loopRounds(int ranks, int rounds, unsigned broadcasts = 0) {
  RunBuilder run(ranks);
  UnitSummary unit;
  std::mt19937 random(1);
  for (unsigned line = 10; line <= 80; line += 10) {
    if (line > 80 - 10 * broadcasts) {
      addBroadcast(run, line, unit);
      if (line % 20 == 0)
        run.barrier();
      continue;
    }
    std::vector<std::vector<int>> lists(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<int> &list = lists[static_cast<std::size_t>(rank)];
      for (int other = 0; other < ranks; ++other)
        if (other != rank)
          list.push_back(other);
      std::shuffle(list.begin(), list.end(), random);
      list.resize(std::min<std::size_t>(list.size(), 1 + random() % 16));
    }
    run.phase(lists, run.addSite(line), 64);
    for (int rank = 0; rank < ranks; ++rank)
      run.compute(rank, 1e-6 * static_cast<double>(random() % 300));
    if (line % 20 == 0)
      run.barrier();
  }
  if (broadcasts > 0)
    run.profile.units.push_back({"app.c", encodeUnitSummary(unit)});
  for (RankProfile &rank : run.profile.ranks) {
    rank.sequence.rules.push_back(std::move(rank.sequence.rules[0]));
    rank.sequence.rules[0] = {{1, true, static_cast<std::uint64_t>(rounds)}};
  }
  return std::move(run.profile);
}

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measureRun(const Profile &profile) {
  const double start = processorSeconds();
  const Timeline timeline = unroll(profile, std::uint64_t{1} << 31);
  const double unrolled = processorSeconds();
  const RunSimulation run = simulateRun(profile, timeline, defaultMachine());
  const double simulated = processorSeconds() - unrolled;
  const auto events = static_cast<double>(run.events);
  const auto messages = static_cast<double>(run.messages);
  std::printf("%.0f events, %.0f messages; unrolled and matched in %.2f s, simulated in %.2f s: "
              "%.2f million events/s, %.2f million messages/s; %.0f MB at most; %.6f s predicted\n",
              events, messages, unrolled - start, simulated, events / simulated * 1e-6,
              messages / simulated * 1e-6, megabytes(), run.seconds);
}

void measurePlan(const Profile &profile) {
  std::uint64_t events = 0;
  for (const RankProfile &rank : profile.ranks)
    events += rank.sequence.length();
  PlannerOptions options;
  options.machine = defaultMachine();
  const double start = processorSeconds();
  planProfile(profile, "loops", options);
  const double models = processorSeconds();
  options.replay = RunReplay::Choose;
  const ProfilePlan plan = planProfile(profile, "loops", options);
  const double chosen = processorSeconds();
  std::printf("%.1f million events; planned by the loops' models in %.2f s, by the whole run in "
              "%.2f s, %.0f replays of %.2f million events; %.0f MB at most; %.2f %% predicted\n",
              static_cast<double>(events) * 1e-6, models - start, chosen - models,
              static_cast<double>(plan.run->replays), static_cast<double>(plan.run->events) * 1e-6,
              megabytes(), 100 * (1 - plan.run->chosen / plan.run->asWritten));
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  const int ranks = argc > 3 ? std::atoi(argv[2]) : 0, rounds = argc > 3 ? std::atoi(argv[3]) : 0;
  if (ranks < 2 || rounds < 1) {
    std::fprintf(
        stderr,
        "usage: simulation-benchmark heat|fourier|allreduce|loops|broadcasts RANKS ROUNDS\n");
    return 2;
  }
  if (std::strcmp(argv[1], "heat") == 0)
    sendwright::measureRun(sendwright::heatGrid(ranks, rounds));
  else if (std::strcmp(argv[1], "loops") == 0)
    sendwright::measurePlan(sendwright::loopRounds(ranks, rounds));
  else if (std::strcmp(argv[1], "broadcasts") == 0)
    sendwright::measurePlan(sendwright::loopRounds(ranks, rounds, 4));
  else if (std::strcmp(argv[1], "fourier") == 0)
    sendwright::measureRun(sendwright::fourierTransform(ranks, rounds));
  else
    sendwright::measureRun(sendwright::allreduceRounds(ranks, rounds));
  return 0;
}
