// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/RunMarks.h"

#include <algorithm>
#include <utility>

namespace sendwright {

std::vector<RunMark> superEpochMarks(const Timeline &timeline, const EpochAnalysis &analysis) {
  std::vector<RunMark> marks;
  for (std::uint32_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    const RankTimeline &events = timeline.ranks[rank];
    const std::vector<RankSuperEpoch> &parts = analysis.superEpochs.ranks[rank];
    std::size_t part = 0;
    std::uint32_t done = 0; // of the rank's nodes
    for (std::uint32_t position = 0; position < events.size() && part < parts.size(); ++position) {
      const std::uint32_t nodes = analysis.graph.nodesOfNext(rank, done, events.numbers[position]);
      if (nodes == 0)
        continue;
      for (; part < parts.size() && (part == 0 || done >= parts[part - 1].end); ++part)
        if (parts[part].superEpoch > 0)
          marks.push_back({rank, MarkKind::SuperEpoch, parts[part].superEpoch, position});
      done += nodes;
    }
  }
  return marks;
}

namespace {

/// Goes through the steps of a rank and the calls of its timeline together.
class StepMarks {
public:
  StepMarks(const RankTimeline &events, const RankSteps &steps, std::uint32_t rank,
            std::vector<RunMark> &marks)
      : events(events), steps(steps), rank(rank), marks(marks) {
    for (const Event &event : events.profile->events)
      isStep.push_back(stepOf(event).has_value());
  }

  void add(bool cut) {
    steps.sequence.forEach([this](std::uint32_t number) { return follow(steps.steps[number]); });
    if (!cut && position == events.size())
      place();
  }

private:
  /// False at the end of the timeline.
  bool follow(const Step &step) {
    switch (step.kind) {
    case StepKind::Synchronize:
      pending.emplace_back(MarkKind::Synchronize,
                           static_cast<std::uint32_t>(steps.groups[step.group].size()));
      return true;
    case StepKind::Announce:
      if (const std::size_t listeners = steps.listeners[step.group].size(); listeners > 0)
        pending.emplace_back(MarkKind::Announce, static_cast<std::uint32_t>(listeners));
      return true;
    case StepKind::Await:
      pending.emplace_back(MarkKind::Await, static_cast<std::uint32_t>(step.peer));
      return true;
    default:
      break;
    }
    while (position < events.size() && !isStep[events.numbers[position]])
      ++position;
    if (position == events.size())
      return false;
    place();
    ++position;
    return true;
  }

  void place() {
    for (const auto &[kind, number] : pending)
      marks.push_back({rank, kind, number, position});
    pending.clear();
  }

  const RankTimeline &events;
  const RankSteps &steps;
  const std::uint32_t rank;
  std::vector<RunMark> &marks;
  std::vector<char> isStep; // by event number
  std::vector<std::pair<MarkKind, std::uint32_t>> pending;
  std::uint32_t position = 0;
};

} // namespace

std::vector<RunMark> synchronizationMarks(const Timeline &timeline,
                                          const SynchronizationPlan &plan) {
  std::vector<RunMark> marks;
  const std::size_t ranks = std::min(timeline.ranks.size(), plan.ranks.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    StepMarks(timeline.ranks[rank], plan.ranks[rank], rank, marks).add(timeline.cut);
  return marks;
}

} // namespace sendwright
