// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/RankActivity.h"

#include "analysis/mpi/MpiFunctions.h"

#include <algorithm>

namespace sendwright {

namespace {

ActivityKind kindOf(const SimulatedWait &wait, const Event &event) {
  if (event.kind == EventKind::Redistribution ||
      (event.kind == EventKind::Call && isCollective(mpiFunction(event.function).role)))
    return ActivityKind::WaitingInCollective;
  return wait.lateReceiver ? ActivityKind::WaitingForReceiver : ActivityKind::WaitingForMessage;
}

/// Appends intervals one after another.
class IntervalChain {
public:
  explicit IntervalChain(const ActivityVisitor &visit) : visit(visit) {}

  void until(double end, ActivityKind kind, std::uint32_t event) {
    if (end <= time)
      return;
    visit({time, end, kind, event});
    time = end;
  }

  double time = 0;

private:
  const ActivityVisitor &visit;
};

} // namespace

void visitSimulated(const Timeline &timeline, const RunRecord &record, std::size_t rank,
                    const ActivityVisitor &visit) {
  const RankTimeline &events = timeline.ranks[rank];
  const std::vector<double> &ends = record.ends[rank];
  auto wait = record.waits[rank].begin();
  const auto lastWait = record.waits[rank].end();
  IntervalChain chain(visit);
  chain.until(record.begun, ActivityKind::Overhead, 0);
  // A rank that is stuck has waits, but no end, in its last event.
  for (std::size_t position = 0; position < events.size(); ++position) {
    const std::uint32_t number = events.numbers[position];
    const bool over = position < ends.size();
    const double end = over ? ends[position] : chain.time + events.work[number];
    chain.until(std::min(chain.time + events.work[number], end), ActivityKind::Computing, number);
    for (; wait != lastWait && (wait->position <= position || wait->end <= end); ++wait) {
      chain.until(wait->begin, ActivityKind::Overhead, number);
      chain.until(wait->end, kindOf(*wait, events.at(wait->position)), number);
    }
    chain.until(end, ActivityKind::Overhead, number);
    if (!over)
      break;
  }
}

void visitRecorded(const Timeline &timeline, std::size_t rank, const ActivityVisitor &visit) {
  const RankTimeline &events = timeline.ranks[rank];
  const std::vector<EventStatistics> &statistics = events.profile->statistics;
  if (statistics.empty())
    return;
  IntervalChain chain(visit);
  for (const std::uint32_t number : events.numbers) {
    const auto count = static_cast<double>(std::max<std::uint64_t>(statistics[number].count, 1));
    chain.until(chain.time + statistics[number].before / count, ActivityKind::Computing, number);
    chain.until(chain.time + statistics[number].inside / count, ActivityKind::InMpi, number);
  }
}

} // namespace sendwright
