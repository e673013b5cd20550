// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// redistribution-benchmark comparison [CASES [MACHINE]]: the heuristics of S.-C. Chen and C.-H.
// Hsu, Multi-Level Communication Scheduling for Irregular Data Redistribution, on random sizes as
// in their Figs. 7 to 9, and how far each is from the optimum of its own form. With a machine file,
// a step costs the time of its longest message of doubles. Exit status 1 if an optimum is not
// proven or is worse than a heuristic.
//
// redistribution-benchmark patterns: the asynchronous order of cyclic and two-dimensional
// distributions, as the ratio of its time to the limit.
//
// redistribution-benchmark speed: processor time for the optimum, the asynchronous order, one
// rank's messages of a long cyclic array, and balanced blocks.

#include "analysis/calibration/MachineFile.h"
#include "analysis/machine/MessageCost.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/BalancedBlocks.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "analysis/redistribution/OptimalSteps.h"
#include "test/benchmark/redistribution/RandomSizes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sendwright {

namespace {

constexpr double ratio = 8; // remote to local, as in the paper's example

/// How often one heuristic is better than another, and how far each is from the optimum.
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
  Contest withReduction, plain, figure; // MLC against TPDR: with LMR, without, as Fig. 5 reads
  double unlimited = 0;                 // the gain from more steps than necessary
  double asynchronous = 0;              // asynchronous order over the optimum's steps
  bool sound = true;
};

/// What each message costs: its elements, or on a machine the time of as many doubles. A local
/// message costs 1/`localRatio` of its elements, on a machine of the time of its bytes, without
/// latency; with a ratio of 1 it costs as much as a remote one. Times are whole picoseconds, so
/// that sums are exact.
std::vector<double> costsOf(const std::vector<Message> &messages, double localRatio,
                            const std::optional<Machine> &machine) {
  if (!machine)
    return messageCosts(messages, localRatio);
  const LinkParameters &link = machine->between;
  std::vector<double> costs;
  for (const Message &message : messages) {
    const double bytes = 8 * static_cast<double>(message.elements);
    const bool isCheap = localRatio != 1 && message.local();
    const double seconds =
        isCheap ? bytes * link.G / localRatio : messageCost(link, bytes).delivery();
    costs.push_back(std::round(seconds * 1e12));
  }
  return costs;
}

void compare(const std::vector<Message> &messages, int ranks, const std::optional<Machine> &machine,
             Comparison &result) {
  const std::vector<double> costs = costsOf(messages, ratio, machine),
                            full = costsOf(messages, 1, machine);
  const double local = localStepCost(messages, costs);
  const auto few = optimalSteps(messages, costs, StepLimit::LargestDegree, false);
  const auto any = optimalSteps(messages, costs, StepLimit::None, false);
  const auto mixed = optimalSteps(messages, costs, StepLimit::LargestDegree, true);
  const auto whole = optimalSteps(messages, full, StepLimit::LargestDegree, true);
  const double levels = scheduleInLevels(messages, costs).cost;
  const double figure = scheduleInLevels(messages, costs, PaperReading::Figure).cost;
  const double reduced = reduceDegrees(messages, costs, true).cost;
  const StepSchedule plain = reduceDegrees(messages, full, true);
  // The time of the schedule that counts local messages in full, when they are cheaper.
  const double plainInTime = scheduleCost(plain.steps, costs);
  result.withReduction.count(levels, few.cost + local, reduced, mixed.cost);
  result.plain.count(levels, few.cost + local, plainInTime, mixed.cost);
  result.figure.count(figure, few.cost + local, reduced, mixed.cost);
  const AsynchronousOrder order = asynchronousOrder(messages, ranks);
  if (few.cost > 0) {
    result.unlimited += any.cost / few.cost;
    if (!machine) // the order's time is in elements
      result.asynchronous += static_cast<double>(order.makespan) / few.cost;
  }
  result.sound &= few.proven && any.proven && mixed.proven && whole.proven &&
                  few.cost + local <= std::min(levels, figure) && any.cost <= few.cost &&
                  mixed.cost <= reduced && whole.cost <= plain.cost &&
                  order.makespan == order.lowerBound;
}

int printComparison(int cases, const std::optional<Machine> &machine) {
  std::printf("%d cases a row, 10,000 elements, a local element costs 1/%.0f. Gap: mean over the "
              "optimum of the same form\n(MLC: local messages in a step of their own; TPDR: in the "
              "same steps), with as few steps as possible.\n",
              cases, ratio);
  if (machine)
    std::printf("Costs are times of doubles on %s; the last column needs costs in elements.\n",
                machine->name.c_str());
  std::printf("\n");
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
          compare(genBlockMessages(before, after, 10'000), ranks, machine, result);
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

/// How far from the limit the order is, for patterns where it does not always reach it.
void measurePattern(const char *name, const Distribution &from, const Distribution &to) {
  const std::vector<Message> messages = messagesBetween(from, to);
  AsynchronousOrder order;
  const double time =
      processorMilliseconds([&] { order = asynchronousOrder(messages, from.ranks()); });
  std::printf("%-40s %5d %9zu %9.4f %9.2f ms\n", name, from.ranks(), messages.size(),
              static_cast<double>(order.makespan) / static_cast<double>(order.lowerBound), time);
}

/// All pairs of cyclic(1) to cyclic(8): how far from the limit, and how long ordering takes.
void measureCyclicPairs(int ranks) {
  double worst = 0, sum = 0, longest = 0;
  int pairs = 0;
  for (int from = 1; from <= 8; ++from)
    for (int to = 1; to <= 8; ++to) {
      const auto cyclic = [ranks](int length) {
        return Distribution({DimensionFormat::cyclic(length)}, {1'000'003}, {ranks});
      };
      const std::vector<Message> messages = messagesBetween(cyclic(from), cyclic(to));
      AsynchronousOrder order;
      longest = std::max(
          longest, processorMilliseconds([&] { order = asynchronousOrder(messages, ranks); }));
      if (order.lowerBound == 0)
        continue;
      const double ratio =
          static_cast<double>(order.makespan) / static_cast<double>(order.lowerBound);
      worst = std::max(worst, ratio);
      sum += ratio;
      ++pairs;
    }
  std::printf("cyclic(k) to cyclic(l), k, l up to 8: %4d ranks, of limit: mean %.4f, worst %.4f; "
              "longest %.2f ms\n",
              ranks, sum / pairs, worst, longest);
}

int printPatterns() {
  using Format = DimensionFormat;
  std::printf("%-40s %5s %9s %9s %12s\n", "1000 x 999, or 10^6 + 3", "ranks", "messages",
              "of limit", "time");
  for (int side : {2, 4, 8, 16}) {
    const int ranks = side * side;
    Random random(static_cast<unsigned>(side));
    const auto blocks = [&](int processors, std::int64_t extent) {
      return Format::genBlock(
          randomSizes(SizeGenerator::Exponential, processors, extent, sizeRanges[2], random));
    };
    const auto line = [ranks](const Format &format) {
      return Distribution({format}, {1'000'003}, {ranks});
    };
    const auto grid = [side](const Format &rows, const Format &columns) {
      return Distribution({rows, columns}, {1000, 999}, {side, side});
    };
    measurePattern("cyclic to block", line(Format::cyclic()), line(Format::block()));
    measurePattern("cyclic(3) to cyclic(5)", line(Format::cyclic(3)), line(Format::cyclic(5)));
    measurePattern("cyclic(2) to gen_block", line(Format::cyclic(2)),
                   line(blocks(ranks, 1'000'003)));
    measurePattern("(block, *) to (*, block)",
                   Distribution({Format::block(), Format::collapsed()}, {1000, 999}, {ranks}),
                   Distribution({Format::collapsed(), Format::block()}, {1000, 999}, {ranks}));
    measurePattern("(gen_block, gen_block) to the same",
                   grid(blocks(side, 1000), blocks(side, 999)),
                   grid(blocks(side, 1000), blocks(side, 999)));
    measurePattern("(cyclic, block) to (block, cyclic(4))", grid(Format::cyclic(), Format::block()),
                   grid(Format::block(), Format::cyclic(4)));
  }
  for (int ranks : {4, 12, 16, 63, 64, 256})
    measureCyclicPairs(ranks);
  return 0;
}

void measureBalance(std::size_t rows, int processors) {
  std::mt19937_64 random(1);
  std::vector<double> costs(rows);
  for (double &cost : costs)
    cost = static_cast<double>(random() % 1000) / 7;
  std::vector<double> times;
  for (int round = 0; round < 11; ++round) {
    const std::clock_t begin = std::clock();
    const BalancedBlocks balanced = balancedBlocks(costs, processors);
    times.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    if (std::ssize(balanced.sizes) != processors)
      std::abort();
  }
  std::sort(times.begin(), times.end());
  std::printf("balanced blocks of %zu rows for %d processors: %.1f ms, at most %.1f ms\n", rows,
              processors, times[times.size() / 2] * 1e3, times.back() * 1e3);
}

int measureSpeed() {
  for (int ranks : {128, 1024})
    measureOptimum(ranks);
  measureOrder(100'000);
  measureCyclic();
  measureBalance(1'000'000, 1024);
  return 0;
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (argc == 2 && words[1] == "speed")
    return sendwright::measureSpeed();
  if (argc >= 2 && argc <= 4 && words[1] == "comparison")
    return sendwright::printComparison(argc >= 3 ? std::max(1, std::atoi(argv[2])) : 1000,
                                       argc == 4 ? std::optional(sendwright::readMachine(words[3]))
                                                 : std::nullopt);
  if (argc == 2 && words[1] == "patterns")
    return sendwright::printPatterns();
  std::fprintf(stderr, "usage: redistribution-benchmark comparison [CASES [MACHINE]] | patterns |"
                       " speed\n");
  return 2;
}
