// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/StepPlanning.h"

#include "analysis/epochs/steps/BoundaryTokens.h"

#include <map>
#include <optional>
#include <span>
#include <utility>

namespace sendwright {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// The ranks that have a part in each super epoch.
class Members {
public:
  explicit Members(const SuperEpochs &superEpochs) : begins(superEpochs.count + 1) {
    for (const std::vector<RankSuperEpoch> &rank : superEpochs.ranks)
      for (const RankSuperEpoch &part : rank)
        ++begins[part.superEpoch + 1];
    for (std::size_t superEpoch = 0; superEpoch < superEpochs.count; ++superEpoch)
      begins[superEpoch + 1] += begins[superEpoch];
    ranks.resize(begins.back());
    std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
    for (std::size_t rank = 0; rank < superEpochs.ranks.size(); ++rank)
      for (const RankSuperEpoch &part : superEpochs.ranks[rank])
        ranks[next[part.superEpoch]++] = static_cast<int>(rank);
  }

  std::vector<int> of(std::uint32_t superEpoch) const {
    return {ranks.begin() + static_cast<std::ptrdiff_t>(begins[superEpoch]),
            ranks.begin() + static_cast<std::ptrdiff_t>(begins[superEpoch + 1])};
  }

private:
  std::vector<std::uint64_t> begins;
  std::vector<int> ranks;
};

class RankPlanner {
public:
  RankPlanner(const Profile &profile, const EpochAnalysis &analysis, SynchronizationKind kind,
              const Members *members, const BoundaryTokens *tokens, std::uint32_t rank)
      : run(profile.ranks[rank]), graph(analysis.graph), superEpochs(analysis.superEpochs),
        kind(kind), members(members), rank(rank), parts(superEpochs.ranks[rank]) {
    if (tokens) {
      awaited = tokens->awaitedBy(rank);
      announced = tokens->announcedBy(rank);
    }
    result.communicators = run.communicators;
    stepOfEvent.resize(run.events.size(), none);
    for (std::size_t event = 0; event < run.events.size(); ++event)
      if (const std::optional<Step> step = stepOf(run.events[event]))
        stepOfEvent[event] = number(*step);
  }

  /// Adds to `calls` the calls before which the rank acts.
  RankSteps plan(SynchronizedCalls &calls) {
    run.sequence.forEach([this](std::uint32_t event) {
      if (const std::uint32_t nodes = graph.nodesOfNext(rank, nodesDone, event)) {
        beginSuperEpochs();
        nodesDone += nodes;
        awaitReceivers();
      }
      if (stepOfEvent[event] != none) {
        if (std::exchange(actionDue, false))
          ++acts[run.events[event].call];
        sequence.append(takesAnySourceLater(run.events[event]) ? stepWithSource(event)
                                                               : stepOfEvent[event]);
      }
      return true;
    });
    for (; part < parts.size(); ++part)
      begin(parts[part]);
    synchronizeAll(superEpochs.count);
    count(calls);
    result.sequence = sequence.grammar();
    return std::move(result);
  }

private:
  /// The next node belongs to the first part that does not end before it.
  void beginSuperEpochs() {
    while (part < parts.size() && (part == 0 || nodesDone >= parts[part - 1].end))
      begin(parts[part++]);
  }

  void begin(const RankSuperEpoch &entered) {
    if (kind == SynchronizationKind::Full)
      return synchronizeAll(entered.superEpoch + 1);
    if (entered.superEpoch == 0)
      return;
    if (kind == SynchronizationKind::Partial)
      synchronize(members->of(entered.superEpoch));
    else if (superEpochs.componentSizes[entered.component] > 1)
      announce(entered.superEpoch);
  }

  /// Synchronises all ranks before each super epoch below `end` that has not begun.
  void synchronizeAll(std::uint32_t end) {
    if (kind == SynchronizationKind::Full)
      for (; begun < end; ++begun)
        if (begun > 0)
          synchronize({});
  }

  void synchronize(const std::vector<int> &group) {
    append(StepKind::Synchronize, result.groups, group);
    actionDue = true;
  }

  void announce(std::uint32_t superEpoch) {
    std::vector<int> listeners;
    for (; !announced.empty() && announced.front().superEpoch == superEpoch;
         announced = announced.subspan(1))
      listeners.push_back(static_cast<int>(announced.front().sender));
    append(StepKind::Announce, result.listeners, listeners);
    actionDue |= !listeners.empty();
  }

  /// Appends a step whose group is `ranks`, which is added to `lists` if it is missing there.
  void append(StepKind stepKind, std::vector<std::vector<int>> &lists,
              const std::vector<int> &ranks) {
    const auto [known, isNew] = groups.try_emplace(ranks, static_cast<std::uint32_t>(lists.size()));
    if (isNew)
      lists.push_back(ranks);
    Step step;
    step.kind = stepKind;
    step.group = known->second;
    if (isNew)
      stepOfGroup.push_back(number(step));
    sequence.append(stepOfGroup[known->second]);
  }

  /// Awaits receivers before the event that owns the nodes up to nodesDone.
  void awaitReceivers() {
    for (; !awaited.empty() && awaited.front().position <= nodesDone;
         awaited = awaited.subspan(1)) {
      Step step;
      step.kind = StepKind::Await;
      step.peer = static_cast<int>(awaited.front().receiver);
      sequence.append(number(step));
      actionDue = true;
    }
  }

  /// The step of a receive whose event does not name the source: the last node done names it.
  std::uint32_t stepWithSource(std::uint32_t event) {
    Step step = result.steps[stepOfEvent[event]];
    const Node send = graph.link[graph.begin[rank] + nodesDone];
    if (send != noNode)
      step.source = static_cast<int>(graph.rank(send));
    return number(step);
  }

  void count(SynchronizedCalls &calls) const {
    for (const auto &[call, times] : acts)
      if (call == noSite) {
        calls.unmarked += times;
      } else {
        CallActions &known = calls.marked[call];
        known.acts += times;
        ++known.ranks;
      }
    calls.atEnd += actionDue;
  }

  std::uint32_t number(const Step &step) {
    const auto [known, isNew] =
        numbers.try_emplace(step, static_cast<std::uint32_t>(result.steps.size()));
    if (isNew)
      result.steps.push_back(step);
    return known->second;
  }

  const RankProfile &run;
  const CommunicationGraph &graph;
  const SuperEpochs &superEpochs;
  const SynchronizationKind kind;
  const Members *members;
  const std::uint32_t rank;
  const std::vector<RankSuperEpoch> &parts;
  std::span<const BoundaryToken> awaited, announced;
  std::vector<std::uint32_t> stepOfEvent, stepOfGroup;
  std::map<std::vector<int>, std::uint32_t> groups;
  std::map<Step, std::uint32_t> numbers;
  RankSteps result;
  GrammarBuilder sequence;
  std::map<int, std::uint64_t> acts; // by the site of the call
  bool actionDue = false;            // before the next call
  std::size_t part = 0;
  std::uint32_t begun = 0, nodesDone = 0;
};

} // namespace

PlannedSteps planSteps(const Profile &profile, const EpochAnalysis &analysis,
                       SynchronizationKind kind) {
  PlannedSteps result;
  if (kind == SynchronizationKind::None)
    return result;
  std::optional<Members> members;
  std::optional<BoundaryTokens> tokens;
  if (kind == SynchronizationKind::Partial)
    members.emplace(analysis.superEpochs);
  if (kind == SynchronizationKind::Component)
    tokens.emplace(analysis);
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank)
    result.ranks.push_back(RankPlanner(profile, analysis, kind, members ? &*members : nullptr,
                                       tokens ? &*tokens : nullptr, rank)
                               .plan(result.calls));
  return result;
}

} // namespace sendwright
