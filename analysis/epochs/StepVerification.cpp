// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are compared on the grammars, however long the sequences are. Then the ranks are led
// along their synchronisations, each until it waits. The program's own calls between them are not
// looked at: whether those go on is the program's to say, and the runtime gives synchronisation up
// where they are others than the plan has.

#include "analysis/epochs/StepVerification.h"

#include "analysis/trace/GrammarCursor.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace sendwright {

namespace {

bool isSynchronization(const Step &step) {
  return step.kind == StepKind::Synchronize || step.kind == StepKind::Announce ||
         step.kind == StepKind::Await;
}

std::string rankText(std::size_t rank) { return "rank " + std::to_string(rank); }

/// The grammar's sequence without what is no synchronisation; rules that become empty are gone.
/// Linear in the grammar.
Grammar synchronizationsIn(const RankSteps &rank) {
  const std::vector<std::vector<GrammarItem>> &rules = rank.sequence.rules;
  Grammar result;
  result.rules.resize(rules.size());
  enum : unsigned char { unseen, open, done };
  std::vector<unsigned char> states(rules.size(), unseen);
  std::vector<std::uint32_t> path;
  if (!rules.empty())
    path.push_back(0);
  while (!path.empty()) { // a rule is done behind those that it holds
    const std::uint32_t rule = path.back();
    if (states[rule] == unseen) {
      states[rule] = open;
      for (const GrammarItem &item : rules[rule])
        if (item.isRule && states[item.symbol] == unseen)
          path.push_back(item.symbol);
      continue;
    }
    path.pop_back();
    if (std::exchange(states[rule], done) == done)
      continue;
    for (const GrammarItem &item : rules[rule])
      if (item.isRule ? !result.rules[item.symbol].empty()
                      : isSynchronization(rank.steps[item.symbol]))
        result.rules[rule].push_back(item);
  }
  return result;
}

class StepFollowing {
public:
  StepFollowing(SynchronizationKind kind, const std::vector<RankSteps> &ranks)
      : kind(kind), ranks(ranks) {}

  std::optional<std::string> contradiction(std::uint64_t followed) {
    if (checkKinds() && checkNumbers() && needsFollowing)
      follow(followed);
    return problem;
  }

private:
  bool fail(const std::string &text) {
    if (!problem)
      problem = text;
    return false;
  }
  /// The number of a group in all ranks; that of all ranks is 0.
  std::uint32_t numberOf(const std::vector<int> &group) {
    return groupNumbers.try_emplace(group, static_cast<std::uint32_t>(groupNumbers.size() + 1))
        .first->second;
  }
  std::uint64_t pairOf(std::size_t from, std::size_t to) const { return from * ranks.size() + to; }

  bool checkKinds();
  bool checkNumbers();
  bool checkGroups(const std::map<std::uint32_t, std::vector<std::uint64_t>> &synchronized);
  void follow(std::uint64_t followed);
  bool advance(std::size_t rank);
  bool meet(std::size_t rank, const Step &step);
  void announce(std::size_t rank, const Step &step);

  const SynchronizationKind kind;
  const std::vector<RankSteps> &ranks;
  std::map<std::vector<int>, std::uint32_t> groupNumbers;
  std::vector<std::vector<std::uint32_t>> groupsOf; ///< numbers, by rank and its own index
  std::vector<const std::vector<int> *> membersOf{nullptr};
  bool needsFollowing = false;
  std::optional<std::string> problem;

  std::vector<GrammarCursor> cursors;
  std::vector<std::size_t> runnable;
  std::vector<std::uint64_t> met;                             ///< by group: who is there
  std::vector<char> isThere;                                  ///< by rank: at its group
  std::unordered_map<std::uint64_t, std::uint64_t> announced; ///< and not awaited yet, by pair
};

bool StepFollowing::checkKinds() {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    for (const Step &step : ranks[rank].steps) {
      if (!isSynchronization(step))
        continue;
      const bool ofGroup = step.kind == StepKind::Synchronize;
      if (ofGroup == (kind == SynchronizationKind::Component))
        return fail(rankText(rank) + (ofGroup ? " meets a group" : " announces or awaits") +
                    ", which " + nameOf(kind) + " synchronisation does not do");
      if (ofGroup && kind == SynchronizationKind::Full && !ranks[rank].groups[step.group].empty())
        return fail(rankText(rank) + " meets some ranks, where full synchronisation has all");
      if (step.kind == StepKind::Await && step.peer == static_cast<int>(rank))
        return fail(rankText(rank) + " awaits itself");
    }
  return true;
}

bool StepFollowing::checkGroups(
    const std::map<std::uint32_t, std::vector<std::uint64_t>> &synchronized) {
  needsFollowing |= synchronized.size() > 1;
  for (const auto &[group, times] : synchronized) {
    const std::vector<int> *members = membersOf[group];
    const std::size_t count = members ? members->size() : ranks.size();
    const auto memberAt = [&](std::size_t index) {
      return members ? static_cast<std::size_t>((*members)[index]) : index;
    };
    for (std::size_t index = 1; index < count; ++index)
      if (const std::size_t one = memberAt(0), other = memberAt(index); times[one] != times[other])
        return fail(rankText(one) + " meets a group " + std::to_string(times[one]) +
                    " times, and " + rankText(other) + " of the same group " +
                    std::to_string(times[other]) + " times");
  }
  return true;
}

/// How often each group is met by each of its members, and how often one rank announces to another
/// and is awaited by it.
bool StepFollowing::checkNumbers() {
  std::map<std::uint32_t, std::vector<std::uint64_t>> synchronized;
  std::map<std::uint64_t, std::uint64_t> told, awaited;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const RankSteps &own = ranks[rank];
    std::vector<std::uint32_t> &numbers = groupsOf.emplace_back();
    for (const std::vector<int> &group : own.groups) {
      numbers.push_back(group.empty() ? 0 : numberOf(group));
      if (numbers.back() == membersOf.size())
        membersOf.push_back(&group);
    }
    const std::vector<std::uint64_t> times =
        own.sequence.occurrences(static_cast<std::uint32_t>(own.steps.size()));
    for (std::size_t index = 0; index < own.steps.size(); ++index) {
      const Step &step = own.steps[index];
      if (times[index] == 0)
        continue;
      if (step.kind == StepKind::Synchronize) {
        std::vector<std::uint64_t> &ofGroup = synchronized[numbers[step.group]];
        ofGroup.resize(ranks.size());
        ofGroup[rank] += times[index];
      } else if (step.kind == StepKind::Announce) {
        for (const int listener : own.listeners[step.group])
          told[pairOf(rank, static_cast<std::size_t>(listener))] += times[index];
      } else if (step.kind == StepKind::Await) {
        awaited[pairOf(static_cast<std::size_t>(step.peer), rank)] += times[index];
      }
    }
  }
  needsFollowing = !told.empty();
  for (const auto &[pair, times] : awaited)
    told.try_emplace(pair, 0);
  for (const auto &[pair, times] : told) {
    const auto found = awaited.find(pair);
    if (const std::uint64_t there = found == awaited.end() ? 0 : found->second; there != times)
      return fail(rankText(pair / ranks.size()) + " announces " + std::to_string(times) +
                  " boundaries to " + rankText(pair % ranks.size()) + ", which awaits " +
                  std::to_string(there));
  }
  return checkGroups(synchronized);
}

/// True where all are there, which lets the others go on.
bool StepFollowing::meet(std::size_t rank, const Step &step) {
  if (isThere[rank])
    return false;
  isThere[rank] = 1;
  const std::uint32_t group = groupsOf[rank][step.group];
  const std::vector<int> *members = membersOf[group];
  if (++met[group] < (members ? members->size() : ranks.size()))
    return false;
  met[group] = 0;
  const auto release = [&](std::size_t member) {
    isThere[member] = 0;
    if (member == rank)
      return;
    cursors[member].next();
    runnable.push_back(member);
  };
  if (members)
    for (const int member : *members)
      release(static_cast<std::size_t>(member));
  else
    for (std::size_t member = 0; member < ranks.size(); ++member)
      release(member);
  return true;
}

void StepFollowing::announce(std::size_t rank, const Step &step) {
  for (const int listener : ranks[rank].listeners[step.group])
    if (announced[pairOf(rank, static_cast<std::size_t>(listener))]++ == 0)
      runnable.push_back(static_cast<std::size_t>(listener));
}

bool StepFollowing::advance(std::size_t rank) {
  const Step &step = ranks[rank].steps[cursors[rank].number()];
  if (step.kind == StepKind::Announce) {
    announce(rank, step);
  } else if (step.kind == StepKind::Await) {
    std::uint64_t &told = announced[pairOf(static_cast<std::size_t>(step.peer), rank)];
    if (told == 0)
      return false;
    --told;
  } else if (!meet(rank, step)) {
    return false;
  }
  cursors[rank].next();
  return true;
}

void StepFollowing::follow(std::uint64_t followed) {
  std::vector<Grammar> sequences;
  for (const RankSteps &rank : ranks)
    sequences.push_back(synchronizationsIn(rank));
  for (const Grammar &sequence : sequences)
    cursors.emplace_back(sequence);
  met.resize(membersOf.size());
  isThere.resize(ranks.size());
  for (std::size_t rank = ranks.size(); rank-- > 0;)
    runnable.push_back(rank);
  while (!runnable.empty()) {
    const std::size_t rank = runnable.back();
    runnable.pop_back();
    while (!cursors[rank].atEnd() && advance(rank))
      if (followed-- == 0)
        return;
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (!cursors[rank].atEnd())
      return static_cast<void>(
          fail(rankText(rank) + " waits for good: ranks wait for one another in a circle"));
}

} // namespace

std::optional<std::string> contradictionInSteps(SynchronizationKind kind,
                                                const std::vector<RankSteps> &ranks,
                                                std::uint64_t followed) {
  return StepFollowing(kind, ranks).contradiction(followed);
}

} // namespace sendwright
