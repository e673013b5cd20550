// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// redistribution-benchmark comparison [CASES]: the heuristics of S.-C. Chen and C.-H. Hsu,
// Multi-Level Communication Scheduling for Irregular Data Redistribution, on random sizes as in
// their Figs. 7 to 9, and how far each is from the optimum of its own form. Exit status 1 where an
// optimum is not proven or is above a heuristic.
//
// redistribution-benchmark speed: processor time for the optimum, the asynchronous order, and one
// rank's messages of a long cyclic array.

#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "analysis/redistribution/OptimalSteps.h"
#include "test/benchmark/redistribution/RandomSizes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace sendwright {

namespace {

constexpr double ratio = 8; // remote to local, as in the paper's example

/// How often one heuristic is better than another, and how far both are from the optimum.
struct Contest {
  int better = 0, worse = 0, optimal = 0;
  double gap = 0, otherGap = 0; // sums of cost / optimum - 1
  void count(double cost, double optimum, double other, double otherOptimum) {
    better += cost < other;
    worse += cost > other;
    optimal += cost == optimum;
    gap += cost / optimum - 1;
    otherGap += other / otherOptimum - 1;
  }
};

struct Comparison {
  Contest withReduction, plain, figure; // MLC against TPDR with LMR and without; Fig. 5's reading
  double unlimited = 0;                 // what more steps than necessary gain
  double asynchronous = 0;              // the asynchronous order to the steps of the optimum
  bool sound = true;
};

void compare(const std::vector<Message> &messages, int ranks, Comparison &result) {
  const std::vector<double> costs = messageCosts(messages, ratio), full = messageCosts(messages, 1);
  const double local = localStepCost(messages, costs);
  const auto few = optimalSteps(messages, costs, StepLimit::LargestDegree, false);
  const auto any = optimalSteps(messages, costs, StepLimit::None, false);
  const auto mixed = optimalSteps(messages, costs, StepLimit::LargestDegree, true);
  const auto whole = optimalSteps(messages, full, StepLimit::LargestDegree, true);
  const double levels = scheduleInLevels(messages, costs).cost;
  const double figure = scheduleInLevels(messages, costs, PaperReading::Figure).cost;
  const double reduced = reduceDegrees(messages, costs, true).cost;
  const StepSchedule plain = reduceDegrees(messages, full, true);
  // What the schedule that counts local messages in full takes when they are cheaper.
  const double plainInTime = scheduleCost(plain.steps, costs);
  result.withReduction.count(levels, few.cost + local, reduced, mixed.cost);
  result.plain.count(levels, few.cost + local, plainInTime, mixed.cost);
  result.figure.count(figure, few.cost + local, reduced, mixed.cost);
  const AsynchronousOrder order = asynchronousOrder(messages, ranks);
  if (few.cost > 0) {
    result.unlimited += any.cost / few.cost;
    result.asynchronous += static_cast<double>(order.makespan) / few.cost;
  }
  result.sound &= few.proven && any.proven && mixed.proven && whole.proven &&
                  few.cost + local <= std::min(levels, figure) && any.cost <= few.cost &&
                  mixed.cost <= reduced && whole.cost <= plain.cost &&
                  order.makespan == order.lowerBound;
}

int printComparison(int cases) {
  std::printf("%d cases a row, 10,000 elements, a local element costs 1/%.0f. Gap: mean over the "
              "optimum of the same form\n(MLC: local messages in a step of their own; TPDR: in the "
              "same steps), with as few steps as possible.\n\n",
              cases, ratio);
  std::printf("%-11s %5s %-6s | %6s %6s %6s | %6s %6s %6s | %6s %6s %7s | %7s %7s %8s | %6s %6s\n",
              "sizes", "ranks", "range", "MLC", "LMR", "same", "MLC", "TPDR", "same", "Fig. 5",
              "LMR", "same", "gap MLC", "gap LMR", "gap Fig5", "any", "async");
  bool sound = true;
  for (SizeGenerator generator : {SizeGenerator::Sequential, SizeGenerator::Exponential})
    for (int ranks : {8, 32, 128})
      for (const SizeRange &range : sizeRanges) {
        Comparison result;
        Random random(1000 * static_cast<unsigned>(ranks) +
                      (generator == SizeGenerator::Sequential));
        for (int i = 0; i < cases; ++i) {
          const auto before = randomSizes(generator, ranks, 10'000, range, random);
          const auto after = randomSizes(generator, ranks, 10'000, range, random);
          compare(genBlockMessages(before, after, 10'000), ranks, result);
        }
        const auto percent = [cases](double count) { return 100 * count / cases; };
        std::printf("%-11s %5d %-6s |",
                    generator == SizeGenerator::Sequential ? "sequential" : "exponential", ranks,
                    range.name);
        for (const Contest *contest : {&result.withReduction, &result.plain, &result.figure})
          std::printf(" %6.1f %6.1f %6.1f |", percent(contest->better), percent(contest->worse),
                      percent(cases - contest->better - contest->worse));
        std::printf(" %6.2f%% %6.2f%% %7.2f%% | %6.4f %6.4f\n", percent(result.withReduction.gap),
                    percent(result.withReduction.otherGap), percent(result.figure.gap),
                    result.unlimited / cases, result.asynchronous / cases);
        std::fflush(stdout);
        sound &= result.sound;
      }
  std::printf(
      "\nfirst three groups: %% of cases in which the first is better, the second, neither;\n"
      "any: cost with any number of steps to that with as few as possible; async: time of "
      "the asynchronous order to\nthat cost, always the largest load of a port.\n");
  if (!sound)
    std::printf("an optimum is not proven, or above a heuristic\n");
  return sound ? 0 : 1;
}

double processorMilliseconds(const std::function<void()> &work) {
  const std::clock_t begin = std::clock();
  work();
  return 1000 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void measureOptimum(int ranks) {
  constexpr int cases = 100;
  std::vector<double> times[3];
  bool proven = true;
  for (int i = 0; i < cases; ++i) {
    Random random(static_cast<unsigned>(i));
    const std::int64_t extent = 1000 * static_cast<std::int64_t>(ranks);
    const auto generator = i % 2 ? SizeGenerator::Sequential : SizeGenerator::Exponential;
    const SizeRange &range = sizeRanges[i / 2 % 4];
    const auto messages =
        genBlockMessages(randomSizes(generator, ranks, extent, range, random),
                         randomSizes(generator, ranks, extent, range, random), extent);
    const std::vector<double> costs = messageCosts(messages, ratio);
    const auto measure = [&](std::size_t form, StepLimit limit, bool local) {
      times[form].push_back(processorMilliseconds(
          [&] { proven &= optimalSteps(messages, costs, limit, local).proven; }));
    };
    measure(0, StepLimit::LargestDegree, false);
    measure(1, StepLimit::None, false);
    measure(2, StepLimit::None, true);
  }
  std::printf("optimal steps, %5d ranks, %d pairs (median, largest):", ranks, cases);
  const char *const names[] = {"fewest steps", "any number", "with local messages"};
  for (int form : {0, 1, 2}) {
    std::sort(times[form].begin(), times[form].end());
    std::printf("  %s %.2f ms, %.2f ms", names[form], times[form][cases / 2], times[form].back());
  }
  std::printf("%s\n", proven ? "; all proven" : "; NOT ALL PROVEN");
}

void measureOrder(int ranks) {
  Random random(1);
  const std::int64_t extent = 1000 * static_cast<std::int64_t>(ranks);
  const auto before = randomSizes(SizeGenerator::Exponential, ranks, extent, sizeRanges[2], random);
  const auto after = randomSizes(SizeGenerator::Exponential, ranks, extent, sizeRanges[2], random);
  std::vector<Message> messages;
  AsynchronousOrder order;
  const double generation =
      processorMilliseconds([&] { messages = genBlockMessages(before, after, extent); });
  const double ordering =
      processorMilliseconds([&] { order = asynchronousOrder(messages, ranks); });
  std::printf(
      "asynchronous order, %d ranks: %zu messages in %.1f ms, order %.1f ms, makespan %lld, "
      "limit %lld\n",
      ranks, messages.size(), generation, ordering, static_cast<long long>(order.makespan),
      static_cast<long long>(order.lowerBound));
}

void measureCyclic() {
  const std::int64_t extent = 100'000'000;
  const Distribution cyclic({DimensionFormat::cyclic(3)}, {extent}, {64});
  const Distribution block({DimensionFormat::block()}, {extent}, {64});
  std::size_t runs = 0;
  const double time = processorMilliseconds([&] {
    const RankMessages messages = messagesFrom(5, cyclic, block);
    for (const RankMessages::Entry &entry : messages.entries)
      runs += messages.runs(entry, 0).size();
  });
  std::printf("cyclic(3) to block, 10^8 elements, 64 ranks: one rank's messages are %zu runs, in "
              "%.3f ms\n",
              runs, time);
}

int measureSpeed() {
  for (int ranks : {128, 1024})
    measureOptimum(ranks);
  measureOrder(100'000);
  measureCyclic();
  return 0;
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (argc == 2 && words[1] == "speed")
    return sendwright::measureSpeed();
  if ((argc == 2 || argc == 3) && words[1] == "comparison")
    return sendwright::printComparison(argc == 3 ? std::max(1, std::atoi(argv[2])) : 1000);
  std::fprintf(stderr, "usage: redistribution-benchmark comparison [CASES] | speed\n");
  return 2;
}
