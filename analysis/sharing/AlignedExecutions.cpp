// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/AlignedExecutions.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

namespace sendwright {

namespace {

/// Sets of executions, which are numbered over all ranks.
class JoinedExecutions {
public:
  explicit JoinedExecutions(const std::vector<std::uint64_t> &executions) {
    for (const std::uint64_t count : executions) {
      firstOf.push_back(parent.size());
      parent.resize(parent.size() + count);
    }
    std::iota(parent.begin(), parent.end(), std::size_t{0});
  }

  std::size_t setOf(int rank, std::uint64_t execution) {
    std::size_t at = firstOf[static_cast<std::size_t>(rank)] + execution;
    while (parent[at] != at)
      at = parent[at] = parent[parent[at]];
    return at;
  }
  void join(std::size_t one, std::size_t other) { parent[one] = other; }
  std::size_t size() const { return parent.size(); }

private:
  std::vector<std::size_t> firstOf, parent;
};

using TargetsOfPairs = std::map<std::pair<int, int>, std::vector<std::uint64_t>>; // executions

TargetsOfPairs byPairs(const std::vector<ExecutionTarget> &targets) {
  TargetsOfPairs pairs;
  for (const ExecutionTarget &target : targets) {
    std::vector<std::uint64_t> &executions = pairs[{target.source, target.destination}];
    if (executions.empty() || executions.back() != target.execution)
      executions.push_back(target.execution);
  }
  return pairs;
}

void joinMutual(const TargetsOfPairs &pairs, bool cut, JoinedExecutions &joined) {
  for (const auto &[ranks, executions] : pairs) {
    const auto back = pairs.find({ranks.second, ranks.first});
    if (ranks.first >= ranks.second || back == pairs.end() ||
        (!cut && back->second.size() != executions.size()))
      continue;
    for (std::size_t index = 0; index < std::min(executions.size(), back->second.size()); ++index)
      joined.join(joined.setOf(ranks.first, executions[index]),
                  joined.setOf(ranks.second, back->second[index]));
  }
}

/// Numbers the instances in an order that all ranks have. An instance gets its number once it is
/// the next at each of its ranks.
class InstanceOrder {
public:
  /// `sets`: by rank and execution; AlignedExecutions::none without messages.
  explicit InstanceOrder(const std::vector<std::vector<std::uint64_t>> &sets) : sets(sets) {
    for (std::size_t rank = 0; rank < sets.size(); ++rank)
      for (const std::uint64_t set : sets[rank])
        if (set != AlignedExecutions::none)
          ranksOf[set].push_back(rank);
    next.resize(sets.size());
  }

  std::optional<AlignedExecutions> run() {
    AlignedExecutions aligned;
    for (const std::vector<std::uint64_t> &executions : sets)
      aligned.instanceOf.emplace_back(executions.size(), AlignedExecutions::none);
    for (auto &[set, ranks] : ranksOf) {
      std::ranges::sort(ranks);
      if (std::ranges::adjacent_find(ranks) != ranks.end())
        return {};
    }
    for (std::size_t rank = 0; rank < sets.size(); ++rank)
      showNext(rank);
    for (; !ready.empty(); ready.pop_front()) {
      for (const std::size_t rank : ranksOf[ready.front()])
        aligned.instanceOf[rank][next[rank]++] = aligned.instances;
      ++aligned.instances;
      for (const std::size_t rank : ranksOf[ready.front()])
        showNext(rank);
    }
    if (aligned.instances != ranksOf.size())
      return {};
    return aligned;
  }

private:
  void showNext(std::size_t rank) {
    while (next[rank] < sets[rank].size() && sets[rank][next[rank]] == AlignedExecutions::none)
      ++next[rank];
    if (next[rank] == sets[rank].size())
      return;
    const std::uint64_t set = sets[rank][next[rank]];
    if (++shown[set] == ranksOf[set].size())
      ready.push_back(set);
  }

  const std::vector<std::vector<std::uint64_t>> &sets;
  std::map<std::uint64_t, std::vector<std::size_t>> ranksOf;
  std::map<std::uint64_t, std::size_t> shown; // ranks whose next execution is of the set
  std::vector<std::size_t> next;              // by rank
  std::deque<std::uint64_t> ready;
};

} // namespace

std::optional<AlignedExecutions> alignExecutions(const std::vector<std::uint64_t> &executions,
                                                 const std::vector<ExecutionTarget> &targets,
                                                 bool cut) {
  JoinedExecutions joined(executions);
  joinMutual(byPairs(targets), cut, joined);
  std::vector<std::vector<std::uint64_t>> sets;
  for (const std::uint64_t count : executions)
    sets.emplace_back(count, AlignedExecutions::none);
  for (const ExecutionTarget &target : targets)
    sets[static_cast<std::size_t>(target.source)][target.execution] =
        joined.setOf(target.source, target.execution);
  return InstanceOrder(sets).run();
}

} // namespace sendwright
