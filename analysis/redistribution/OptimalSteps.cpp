// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/OptimalSteps.h"

#include "analysis/file/Progress.h"
#include "analysis/redistribution/MessagePaths.h"
#include "analysis/redistribution/TwoPhaseDegreeReduction.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <set>
#include <utility>

namespace sendwright {

namespace {

// Most searches end soon with the simplest remedies; better remedies take longer to find.
constexpr std::size_t easyLooks = 16;
constexpr std::size_t mostColourings = 20'000;
constexpr std::size_t mostOperations = 400'000'000;
constexpr std::size_t mostStored = 20'000'000; // lengths of single steps

class LengthSearch {
public:
  /// More than 2 d - 1 steps are never of use, d the largest degree: a message has at most 2 d - 2
  /// neighbours, and moves to one of 2 d - 1 earlier and longer steps.
  LengthSearch(const MessagePaths &paths, StepLimit limit)
      : paths(paths),
        most(limit == StepLimit::None ? 2 * paths.largestDegree() - 1 : paths.largestDegree()) {}

  /// `known`: lengths that suffice.
  void run(const StepLengths &known, std::size_t patience) {
    Progress progress("schedules tried", patience, Progress::Total::AtMost);
    offer(known);
    push(paths.portBound(), 0);
    while (!open.empty() && open.top().bound < bestCost && looked < patience &&
           stored < mostStored) {
      const Node node = open.top();
      open.pop();
      ++looked;
      progress.advance();
      const Obstacles obstacles =
          paths.obstacles(node.lengths, {most, bestCost, looked > easyLooks ? mostColourings : 0});
      if (obstacles.empty()) {
        offer(node.lengths);
        continue;
      }
      const Look look = lookAt(node.lengths, obstacles);
      const double bound = std::max(node.bound, paths.cost(node.lengths) + look.more);
      if (!open.empty() && bound > open.top().bound) { // try others first
        if (bound < bestCost)
          open.push({bound, node.lengths});
        continue;
      }
      for (const StepLengths &remedy : obstacles[look.hardest].remedies)
        push(remedy, bound);
    }
  }

  const StepLengths &lengths() const { return best; }
  double bound() const { return open.empty() ? bestCost : std::min(bestCost, open.top().bound); }
  std::size_t lengthsLookedAt() const { return looked; }

private:
  using Obstacles = std::vector<MessagePaths::Obstacle>;

  struct Node {
    double bound; // on the cost of all sufficient lengths that are nowhere shorter
    StepLengths lengths;
    bool operator<(const Node &other) const { return bound > other.bound; }
  };

  struct Look {
    double more = 0; // additional cost of any sufficient lengths
    std::size_t hardest = 0;
  };

  /// Every obstacle costs at least its cheapest remedy; obstacles whose remedies lengthen different
  /// steps cost the sum.
  Look lookAt(const StepLengths &lengths, const Obstacles &obstacles) const {
    Look look;
    const double now = paths.cost(lengths);
    std::vector<std::pair<double, std::size_t>> hardest;
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (const StepLengths &remedy : obstacles[i].remedies)
        least = std::min(least, paths.cost(remedy) - now);
      hardest.emplace_back(-least, i);
    }
    std::sort(hardest.begin(), hardest.end());
    look.hardest = hardest.front().second;
    std::vector<char> lengthened(most);
    for (const auto &[cost, i] : hardest) {
      std::vector<char> here(most);
      bool apart = true;
      for (const StepLengths &remedy : obstacles[i].remedies)
        for (std::size_t step = 0; step < remedy.size(); ++step)
          if (step >= lengths.size() || remedy[step] < lengths[step]) {
            here[step] = true;
            apart &= !lengthened[step];
          }
      if (!apart)
        continue;
      look.more -= cost;
      for (std::size_t step = 0; step < here.size(); ++step)
        if (here[step])
          lengthened[step] = true;
    }
    return look;
  }

  void push(const StepLengths &lengths, double bound) {
    bound = std::max(bound, paths.cost(lengths));
    if (bound >= bestCost || !seen.insert(lengths).second)
      return;
    stored += 2 * lengths.size() + 20; // the lengths, and what the containers need
    open.push({bound, lengths});
  }

  void offer(const StepLengths &lengths) {
    if (const double cost = paths.cost(lengths); cost < bestCost) {
      best = lengths;
      bestCost = cost;
    }
  }

  const MessagePaths &paths;
  std::uint32_t most; // steps
  std::priority_queue<Node> open;
  std::set<StepLengths> seen;
  StepLengths best;
  double bestCost = std::numeric_limits<double>::infinity();
  std::size_t looked = 0, stored = 0;
};

/// The lengths of a schedule's steps.
StepLengths lengthsOf(const StepSchedule &schedule, const std::vector<double> &costs,
                      const MessagePaths &paths) {
  StepLengths lengths;
  const std::vector<double> &values = paths.values();
  for (const std::vector<std::uint32_t> &step : schedule.steps)
    lengths.push_back(
        static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(),
                                                    scheduleCost({step}, costs), std::greater<>()) -
                                   values.begin()));
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

} // namespace

OptimalSchedule optimalSteps(const std::vector<Message> &messages, const std::vector<double> &costs,
                             StepLimit limit, bool localOnesToo, std::size_t patience) {
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = 0; i < messages.size(); ++i)
    if (localOnesToo || !messages[i].local())
      wanted.push_back(i);
  OptimalSchedule schedule;
  if (wanted.empty()) {
    schedule.proven = true;
    return schedule;
  }
  const MessagePaths paths(messages, wanted, costs);
  LengthSearch search(paths, limit);
  patience = std::min(patience, mostOperations / wanted.size());
  search.run(lengthsOf(reduceDegrees(messages, costs, localOnesToo), costs, paths), patience);
  schedule.steps = paths.assign(search.lengths());
  std::erase_if(schedule.steps, [](const auto &step) { return step.empty(); });
  schedule.cost = scheduleCost(schedule.steps, costs);
  schedule.lowerBound = std::min(search.bound(), schedule.cost);
  schedule.proven = schedule.lowerBound == schedule.cost;
  schedule.looked = search.lengthsLookedAt();
  return schedule;
}

} // namespace sendwright
