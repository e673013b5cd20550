// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/OptimalSteps.h"

#include "analysis/redistribution/MessagePaths.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>

namespace sendwright {

namespace {

class LengthSearch {
public:
  /// Never are more than 2 d - 1 steps of use, d the largest degree: a message has at most 2 d - 2
  /// neighbours, and moves to one of 2 d - 1 earlier and longer steps.
  LengthSearch(const MessagePaths &paths, StepLimit limit)
      : paths(paths), most(limit == StepLimit::None ? 2 * paths.largestDegree() - 1
                                                    : paths.largestDegree()) {}

  void run(std::size_t patience) {
    push(paths.portBound());
    complete(paths.portBound());
    std::vector<MessagePaths::Raise> raises;
    while (!open.empty() && open.top().cost < bestCost) {
      if (looked == patience)
        return;
      const StepLengths lengths = open.top().lengths;
      open.pop();
      ++looked;
      if (paths.sufficient(lengths, raises)) {
        offer(lengths);
        return;
      }
      for (const MessagePaths::Raise &raise : raises)
        if (raise.step < most)
          push(raised(lengths, raise));
    }
  }

  const StepLengths &lengths() const { return best; }
  double bound() const { return open.empty() ? bestCost : std::min(bestCost, open.top().cost); }
  std::size_t lengthsLookedAt() const { return looked; }

private:
  struct Node {
    double cost;
    StepLengths lengths;
    bool operator<(const Node &other) const { return cost > other.cost; }
  };

  double costOf(const StepLengths &lengths) const {
    double sum = 0;
    for (std::uint32_t length : lengths)
      sum += paths.values()[length];
    return sum;
  }

  static StepLengths raised(StepLengths lengths, const MessagePaths::Raise &raise) {
    if (raise.step == lengths.size())
      lengths.push_back(raise.length);
    lengths[raise.step] = raise.length;
    return lengths;
  }

  void push(const StepLengths &lengths) {
    const double cost = costOf(lengths);
    if (cost < bestCost && seen.insert(lengths).second)
      open.push({cost, lengths});
  }

  void offer(const StepLengths &lengths) {
    if (const double cost = costOf(lengths); cost < bestCost) {
      best = lengths;
      bestCost = cost;
    }
  }

  /// Sufficient lengths from these, by the cheapest raise each time.
  void complete(StepLengths lengths) {
    std::vector<MessagePaths::Raise> raises;
    while (!paths.sufficient(lengths, raises)) {
      const MessagePaths::Raise *cheapest = nullptr;
      double least = 0;
      for (const MessagePaths::Raise &raise : raises) {
        if (raise.step >= most)
          continue;
        const double now = raise.step < lengths.size() ? paths.values()[lengths[raise.step]] : 0;
        const double more = paths.values()[raise.length] - now;
        if (!cheapest || more < least) {
          cheapest = &raise;
          least = more;
        }
      }
      lengths = raised(std::move(lengths), *cheapest);
    }
    offer(lengths);
  }

  const MessagePaths &paths;
  std::uint32_t most;
  std::priority_queue<Node> open;
  std::set<StepLengths> seen;
  StepLengths best;
  double bestCost = std::numeric_limits<double>::infinity();
  std::size_t looked = 0;
};

} // namespace

OptimalSchedule optimalSteps(const std::vector<Message> &messages, const std::vector<double> &costs,
                             StepLimit limit, bool localOnesToo, std::size_t patience) {
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = 0; i < messages.size(); ++i)
    if (localOnesToo || !messages[i].local())
      wanted.push_back(i);
  const MessagePaths paths(messages, wanted, costs);
  LengthSearch search(paths, limit);
  search.run(patience);
  OptimalSchedule schedule;
  schedule.steps = paths.assign(search.lengths());
  schedule.cost = scheduleCost(schedule.steps, costs);
  schedule.lowerBound = std::min(search.bound(), schedule.cost);
  schedule.proven = schedule.lowerBound == schedule.cost;
  schedule.looked = search.lengthsLookedAt();
  return schedule;
}

} // namespace sendwright
