// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules in steps and the asynchronous order: the paper's example, instances with known optima,
// random pairs of distributions, and all schedules of small instances.

#include "analysis/file/MatrixFile.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/MultiLevelCommunication.h"
#include "analysis/redistribution/OptimalSteps.h"
#include "analysis/redistribution/PortListOrder.h"
#include "test/analysis/Sanitized.h"
#include "test/benchmark/redistribution/RandomSizes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sendwright {

namespace {

using Steps = std::vector<std::vector<std::uint32_t>>;

const std::vector<Message> example =
    genBlockMessages({9, 8, 9, 16, 25, 33}, {28, 17, 5, 10, 22, 18}, 100);

TEST(RedistributionSchedule, OfThePapersSimpleExample) {
  // Fig. 3 (b); its m1 is message 0 here.
  const Steps simple = {{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7}};
  EXPECT_TRUE(isValidSchedule(simple, example, true));
  EXPECT_EQ(scheduleCost(simple, messageCosts(example, 1)), 57);
  EXPECT_EQ(scheduleCost(simple, messageCosts(example, 8)), 48);
  EXPECT_EQ(largestDegree(example, true), 4U);
}

TEST(RedistributionSchedule, OfThePapersHeuristics) {
  const std::vector<double> costs = messageCosts(example, 8);
  EXPECT_EQ(reduceDegrees(example, messageCosts(example, 1), true).cost, 44);
  EXPECT_EQ(reduceDegrees(example, costs, true).cost, 27.125);
  const StepSchedule text = scheduleInLevels(example, costs);
  EXPECT_EQ(text.cost, 28.25);
  EXPECT_EQ(text.steps, (Steps{{2, 4, 7, 9}, {1, 6}, {3, 5}, {0, 8, 10}}));
  const StepSchedule figure = scheduleInLevels(example, costs, PaperReading::Figure);
  EXPECT_EQ(figure.cost, 31.25);
  EXPECT_EQ(figure.steps, (Steps{{1, 4, 7, 9}, {2, 5}, {3, 6}, {0, 8, 10}})); // its Fig. 5
}

void expectOptimal(const OptimalSchedule &schedule, const std::vector<Message> &messages,
                   bool localOnesToo, double cost) {
  EXPECT_EQ(schedule.cost, cost);
  EXPECT_TRUE(schedule.proven);
  EXPECT_EQ(schedule.lowerBound, cost);
  EXPECT_TRUE(isValidSchedule(schedule.steps, messages, localOnesToo));
}

TEST(RedistributionSchedule, OfInstancesWithKnownOptima) {
  const auto instances = nlohmann::json::parse(
      readTextFile(SENDWRIGHT_ANALYSIS_TEST_INPUTS "/redistribution-instances.json"));
  for (const nlohmann::json &instance : instances) {
    const std::vector<std::int64_t> before = instance["old"];
    const auto messages = genBlockMessages(before, instance["new"], instance["N"]);
    ASSERT_EQ(messages.size(), instance["messages"].size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const std::vector<std::int64_t> expected = instance["messages"][i];
      EXPECT_EQ(messages[i], (Message{static_cast<int>(expected[0]), static_cast<int>(expected[1]),
                                      expected[2]}));
    }
    const std::vector<double> costs = messageCosts(messages, instance["rlr"]);
    const auto few = optimalSteps(messages, costs, StepLimit::LargestDegree, false);
    expectOptimal(few, messages, false, instance["opt_remote_delta_steps"]);
    EXPECT_EQ(few.steps.size(), instance["delta_remote"]);
    expectOptimal(optimalSteps(messages, costs, StepLimit::None, false), messages, false,
                  instance["opt_remote_any_steps"]);
    expectOptimal(optimalSteps(messages, costs, StepLimit::None, true), messages, true,
                  instance["opt_mixed_any_steps"]);
    EXPECT_EQ(scheduleInLevels(messages, costs).cost, instance["mlc_text_total"]);
    EXPECT_EQ(scheduleInLevels(messages, costs, PaperReading::Figure).cost,
              instance["mlc_fig5_total"]);
    const AsynchronousOrder order = asynchronousOrder(messages, static_cast<int>(before.size()));
    EXPECT_EQ(order.makespan, instance["max_port_load_remote"]);
    EXPECT_EQ(order.lowerBound, instance["max_port_load_remote"]);
  }
}

/// The least cost of all schedules with at most this many steps, found by trying all of them.
class EverySchedule {
public:
  EverySchedule(const std::vector<Message> &messages, const std::vector<double> &costs,
                bool localOnesToo, std::size_t steps)
      : messages(messages), costs(costs), steps(steps) {
    for (std::uint32_t i = 0; i < messages.size(); ++i)
      if (localOnesToo || !messages[i].local())
        order.push_back(i);
    // The first message in a step is its longest.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return costs[a] > costs[b]; });
  }

  double least() {
    place(0, 0);
    return best;
  }

private:
  void place(std::size_t at, double cost) {
    if (cost >= best)
      return;
    if (at == order.size()) {
      best = cost;
      return;
    }
    const Message &message = messages[order[at]];
    for (std::size_t i = 0; i <= schedule.size() && i < steps; ++i) {
      if (i == schedule.size())
        schedule.emplace_back();
      const bool fits =
          std::none_of(schedule[i].begin(), schedule[i].end(), [&](std::uint32_t other) {
            return messages[other].source == message.source ||
                   messages[other].destination == message.destination;
          });
      if (fits) {
        const double more = schedule[i].empty() ? costs[order[at]] : 0;
        schedule[i].push_back(order[at]);
        place(at + 1, cost + more);
        schedule[i].pop_back();
      }
      if (schedule[i].empty()) {
        schedule.pop_back();
        break; // all new steps are alike
      }
    }
  }

  const std::vector<Message> &messages;
  const std::vector<double> &costs;
  std::size_t steps;
  std::vector<std::uint32_t> order;
  Steps schedule;
  double best = std::numeric_limits<double>::infinity();
};

TEST(RedistributionSchedule, NoScheduleOfSmallOnesIsCheaper) {
  Random random(3);
  for (int round = 0; round < 2000 && !::testing::Test::HasFailure(); ++round) {
    const int ranks = 1 + round % 7;
    const std::int64_t extent = ranks + static_cast<std::int64_t>(random() % 40);
    const auto messages =
        genBlockMessages(anySizes(ranks, extent, random), anySizes(ranks, extent, random), extent);
    const std::vector<double> costs = messageCosts(messages, 8);
    for (bool local : {false, true}) {
      const std::size_t degree = largestDegree(messages, local);
      const auto few = optimalSteps(messages, costs, StepLimit::LargestDegree, local);
      EXPECT_LE(few.steps.size(), degree);
      expectOptimal(few, messages, local,
                    degree == 0 ? 0 : EverySchedule(messages, costs, local, degree).least());
      expectOptimal(optimalSteps(messages, costs, StepLimit::None, local), messages, local,
                    degree == 0 ? 0
                                : EverySchedule(messages, costs, local, messages.size()).least());
    }
  }
}

/// Sum over k of the largest k-th largest message of any port: no schedule costs less.
double portBound(const std::vector<Message> &messages, const std::vector<double> &costs,
                 int ranks) {
  std::vector<std::vector<double>> ports(2 * static_cast<std::size_t>(ranks));
  std::vector<double> largest;
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (!messages[i].local()) {
      ports[messages[i].source].push_back(costs[i]);
      ports[ranks + messages[i].destination].push_back(costs[i]);
    }
  double sum = 0;
  for (std::size_t k = 0;; ++k) {
    double kth = 0;
    for (std::vector<double> &port : ports) {
      if (k == 0)
        std::sort(port.begin(), port.end(), std::greater<>());
      kth = std::max(kth, k < port.size() ? port[k] : 0);
    }
    if (kth == 0)
      return sum;
    sum += kth;
  }
}

void checkPair(const std::vector<Message> &messages, int ranks) {
  const std::vector<double> costs = messageCosts(messages, 8);
  const auto few = optimalSteps(messages, costs, StepLimit::LargestDegree, false);
  const auto any = optimalSteps(messages, costs, StepLimit::None, false);
  const auto mixed = optimalSteps(messages, costs, StepLimit::None, true);
  expectOptimal(few, messages, false, few.cost);
  expectOptimal(any, messages, false, any.cost);
  expectOptimal(mixed, messages, true, mixed.cost);
  EXPECT_GE(any.cost, portBound(messages, costs, ranks));
  EXPECT_LE(any.cost, few.cost);
  EXPECT_LE(mixed.cost, any.cost + localStepCost(messages, costs));
  for (PaperReading reading : {PaperReading::Text, PaperReading::Figure}) {
    const StepSchedule levels = scheduleInLevels(messages, costs, reading);
    EXPECT_TRUE(isValidSchedule(levels.steps, messages, true));
    EXPECT_LE(few.cost + localStepCost(messages, costs), levels.cost);
    const StepSchedule reduced = reduceDegrees(messages, costs, true, reading);
    EXPECT_TRUE(isValidSchedule(reduced.steps, messages, true));
    EXPECT_EQ(reduced.steps.size(), largestDegree(messages, true));
    EXPECT_LE(mixed.cost, reduced.cost);
  }
  const AsynchronousOrder order = asynchronousOrder(messages, ranks);
  EXPECT_EQ(order.makespan, largestPortLoad(messages, ranks));
  EXPECT_EQ(order.makespan, order.lowerBound);
}

TEST(RedistributionSchedule, OfManyRandomPairs) {
  constexpr int pairs = someOf(10'000);
  Random random(4);
  for (int round = 0; round < pairs && !::testing::Test::HasFailure(); ++round) {
    // All sizes up to 512, uniform in their logarithm.
    const int ranks = static_cast<int>(
        std::exp2(std::uniform_real_distribution<double>(0, std::log2(513))(random)));
    const std::int64_t extent = ranks * (1 + static_cast<std::int64_t>(random() % 1000));
    checkPair(
        genBlockMessages(anySizes(ranks, extent, random), anySizes(ranks, extent, random), extent),
        ranks);
  }
}

TEST(RedistributionSchedule, AMessageThatIsMissingInAnOrderIsNoticed) {
  PortOrders orders = asynchronousOrder(example, 6).orders;
  EXPECT_EQ(asynchronousMakespan(example, orders), 19);
  std::swap(orders.send[4][0], orders.send[4][1]);
  std::reverse(orders.send[3].begin(), orders.send[3].end());
  EXPECT_TRUE(asynchronousMakespan(example, orders).has_value());
  orders.receive[0].pop_back();
  EXPECT_FALSE(asynchronousMakespan(example, orders).has_value());
}

TEST(RedistributionSchedule, OrdersThatWaitForOneAnotherAreNoticed) {
  const std::vector<Message> exchange = {{0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}};
  const PortOrders circle = {{{0, 1}, {3, 2}, {}, {}}, {{}, {}, {2, 0}, {1, 3}}};
  EXPECT_FALSE(asynchronousMakespan(exchange, circle).has_value());
}

TEST(RedistributionSchedule, OtherPatternsTakeLessThanTwiceTheLimit) {
  Random random(5);
  for (int round = 0; round < 300 && !::testing::Test::HasFailure(); ++round) {
    const int ranks = 2 + static_cast<int>(random() % 30);
    std::vector<Message> messages;
    for (int source = 0; source < ranks; ++source)
      for (int destination = 0; destination < ranks; ++destination)
        if (random() % 3 != 0)
          messages.push_back({source, destination, 1 + static_cast<std::int64_t>(random() % 100)});
    const AsynchronousOrder order = asynchronousOrder(messages, ranks);
    EXPECT_LT(order.makespan, 2 * order.lowerBound + (order.lowerBound == 0));
    EXPECT_GE(order.makespan, order.lowerBound);
    const StepSchedule reduced = reduceDegrees(messages, messageCosts(messages, 8), true);
    EXPECT_TRUE(isValidSchedule(reduced.steps, messages, true));
  }
}

TEST(RedistributionSchedule, ATransposedArrayReachesTheLimit) {
  using Format = DimensionFormat;
  for (int ranks : {2, 8, 16, 40}) {
    const Distribution rows({Format::block(), Format::collapsed()}, {960, 720}, {ranks});
    const Distribution columns({Format::collapsed(), Format::block()}, {960, 720}, {ranks});
    const std::vector<Message> messages = messagesBetween(rows, columns);
    EXPECT_EQ(messages.size(), static_cast<std::size_t>(ranks * ranks));
    const AsynchronousOrder order = asynchronousOrder(messages, ranks);
    EXPECT_EQ(order.makespan, order.lowerBound);
  }
}

TEST(RedistributionSchedule, CyclicArraysReachTheLimit) {
  // Each port has messages of three sizes, and all ports have equally many of each.
  for (int ranks : {16, 64, 256}) {
    const std::int64_t extent = std::int64_t(15) * ranks * 40;
    const std::vector<Message> messages =
        messagesBetween(Distribution({DimensionFormat::cyclic(3)}, {extent}, {ranks}),
                        Distribution({DimensionFormat::cyclic(5)}, {extent}, {ranks}));
    const AsynchronousOrder order = asynchronousOrder(messages, ranks);
    EXPECT_EQ(order.makespan, order.lowerBound);
  }
}

TEST(RedistributionSchedule, OfNothing) {
  const auto messages = genBlockMessages({5, 5}, {5, 5}, 10);
  const OptimalSchedule schedule =
      optimalSteps(messages, messageCosts(messages, 8), StepLimit::LargestDegree, false);
  EXPECT_TRUE(schedule.proven);
  EXPECT_EQ(schedule.cost, 0);
  EXPECT_TRUE(schedule.steps.empty());
  EXPECT_EQ(asynchronousOrder(messages, 2).makespan, 0);
}

} // namespace

} // namespace sendwright
