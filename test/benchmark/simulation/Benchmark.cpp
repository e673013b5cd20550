// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulation-benchmark PROGRAM RANKS ROUNDS: processor time and memory to simulate a run, for the
// programs of test/benchmark/epochs (heat, fourier) and for allreduce, in which all ranks do
// nothing else.

#include "analysis/cost/RunSimulation.h"
#include "test/benchmark/epochs/Applications.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <sys/resource.h>

namespace sendwright {

namespace {

Profile allreduceRounds(int ranks, int rounds) {
  Profile profile;
  profile.ranks.resize(static_cast<std::size_t>(ranks));
  Communicator world;
  world.members.resize(static_cast<std::size_t>(ranks));
  std::iota(world.members.begin(), world.members.end(), 0);
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

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  const int ranks = argc > 3 ? std::atoi(argv[2]) : 0, rounds = argc > 3 ? std::atoi(argv[3]) : 0;
  if (ranks < 2 || rounds < 1) {
    std::fprintf(stderr, "usage: simulation-benchmark heat|fourier|allreduce RANKS ROUNDS\n");
    return 2;
  }
  if (std::strcmp(argv[1], "heat") == 0)
    sendwright::measureRun(sendwright::heatGrid(ranks, rounds));
  else if (std::strcmp(argv[1], "fourier") == 0)
    sendwright::measureRun(sendwright::fourierTransform(ranks, rounds));
  else
    sendwright::measureRun(sendwright::allreduceRounds(ranks, rounds));
  return 0;
}
