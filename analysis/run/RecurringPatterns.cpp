// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executions with exactly the same messages are found by sorting and form groups. The most frequent
// groups come first: each joins the pattern that it resembles, or becomes one more pattern while
// there is room. So neither a few differing executions nor those at a program's start take a
// pattern's place.

#include "analysis/run/RecurringPatterns.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

namespace sendwright {

namespace {

using Execution = std::span<const ExecutionMessage>;

/// Executions with the same messages.
using Group = std::vector<Execution>;

bool isBefore(const Execution &left, const Execution &right) {
  return std::lexicographical_compare(
      left.begin(), left.end(), right.begin(), right.end(),
      [](const ExecutionMessage &a, const ExecutionMessage &b) { return a.kind < b.kind; });
}

std::vector<Execution> executionsOf(std::vector<ExecutionMessage> &messages) {
  std::sort(messages.begin(), messages.end(),
            [](const ExecutionMessage &left, const ExecutionMessage &right) {
              return std::tie(left.execution, left.kind) < std::tie(right.execution, right.kind);
            });
  std::vector<Execution> executions;
  for (std::size_t begin = 0, end = 0; begin < messages.size(); begin = end) {
    while (end < messages.size() && messages[end].execution == messages[begin].execution)
      ++end;
    executions.emplace_back(messages.data() + begin, end - begin);
  }
  return executions;
}

/// Largest groups first; ties go to the group that began first.
std::vector<Group> groupsOf(std::vector<Execution> executions) {
  std::stable_sort(executions.begin(), executions.end(), isBefore);
  std::vector<Group> groups;
  for (const Execution &execution : executions) {
    if (groups.empty() || isBefore(groups.back().front(), execution))
      groups.emplace_back();
    groups.back().push_back(execution);
  }
  std::sort(groups.begin(), groups.end(), [](const Group &left, const Group &right) {
    if (left.size() != right.size())
      return left.size() > right.size();
    return left.front().front().execution < right.front().front().execution;
  });
  return groups;
}

/// Patterns found so far; each is represented by the first group that had it.
class PatternSearch {
public:
  explicit PatternSearch(std::size_t kinds) : patternsOfKind(kinds) {}

  void add(const Group &group) {
    const Execution &messages = group.front();
    std::size_t pattern = patternLike(messages);
    if (pattern == found.size()) {
      if (found.size() == mostPatternsByTurns)
        return;
      found.push_back({messages.size(), 0, {}, {}});
      for (const ExecutionMessage &message : messages)
        patternsOfKind[message.kind] |= static_cast<std::uint16_t>(1U << pattern);
    }
    Pattern &joined = found[pattern];
    joined.executions += group.size();
    for (const Execution &execution : group) {
      joined.members.push_back(execution.front().execution);
      for (const ExecutionMessage &message : execution) {
        RecurringPattern::Kind &kind = joined.kinds[message.kind];
        kind.kind = message.kind;
        ++kind.executions;
        kind.bytes += message.bytes;
      }
    }
  }

  std::vector<RecurringPattern> patterns() const {
    std::vector<RecurringPattern> result;
    for (const Pattern &pattern : found) {
      if (pattern.executions < 2)
        continue;
      RecurringPattern &recurring = result.emplace_back();
      recurring.executions = pattern.executions;
      for (const auto &[number, kind] : pattern.kinds)
        recurring.kinds.push_back(kind);
      recurring.members = pattern.members;
      std::ranges::sort(recurring.members);
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const RecurringPattern &left, const RecurringPattern &right) {
                       return left.executions > right.executions;
                     });
    return result;
  }

private:
  struct Pattern {
    std::size_t size = 0; ///< messages in an execution of the first group
    std::uint64_t executions = 0;
    std::map<std::uint32_t, RecurringPattern::Kind> kinds;
    std::vector<std::uint64_t> members;
  };

  /// The pattern that has most in common with the messages, if that is enough.
  std::size_t patternLike(const Execution &messages) const {
    std::array<std::size_t, mostPatternsByTurns> common{};
    for (const ExecutionMessage &message : messages)
      for (unsigned bits = patternsOfKind[message.kind], pattern = 0; bits != 0;
           bits >>= 1U, ++pattern)
        common[pattern] += bits & 1U;
    std::size_t best = found.size();
    for (std::size_t pattern = 0; pattern < found.size(); ++pattern) {
      const std::size_t larger = std::max(found[pattern].size, messages.size());
      const bool isLike =
          static_cast<double>(common[pattern]) >= alikeEnough * static_cast<double>(larger);
      if (isLike && (best == found.size() || common[pattern] > common[best]))
        best = pattern;
    }
    return best;
  }

  static_assert(mostPatternsByTurns <= 16, "a bit each");
  std::vector<std::uint16_t> patternsOfKind; ///< a bit for each pattern whose first group has the
                                             ///< kind
  std::vector<Pattern> found;
};

} // namespace

std::vector<RecurringPattern> findRecurringPatterns(std::vector<ExecutionMessage> messages,
                                                    std::size_t kinds) {
  PatternSearch search(kinds);
  for (const Group &group : groupsOf(executionsOf(messages)))
    search.add(group);
  return search.patterns();
}

} // namespace sendwright
