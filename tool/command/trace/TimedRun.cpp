// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/trace/TimedRun.h"

#include "analysis/file/FormatError.h"
#include "analysis/run/RankDriver.h"
#include "analysis/simulation/RunMessages.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

constexpr double longestRun = 1e9; // seconds: fits into 64 bits as nanoseconds

std::uint64_t asNanoseconds(double seconds, const std::string &name) {
  if (!(seconds <= longestRun))
    throw FormatError(name + ": a run of more than 10^9 s, expected a shorter run");
  return static_cast<std::uint64_t>(std::llround(std::max(seconds, 0.0) * 1e9));
}

/// Gives each event of the ranks its corrected times. A rank is at an event in two steps: when the
/// event begins, and when it ends, for which it needs the begins of the calls that sent to it.
class CausalOrder {
public:
  CausalOrder(const Timeline &timeline, std::vector<std::vector<EventTimes>> &ranks)
      : timeline(timeline), ranks(ranks), messages(timeline), driver(ranks.size()),
        begun(ranks.size()), ended(ranks.size()) {}

  void run() {
    driver.run([&](std::size_t rank) { return advance(rank, true); },
               [&](std::size_t rank) { return begun[rank]; });
    // Ranks that wait for one another forever.
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      while (advance(rank, false) == RankProgress::Advanced) {
      }
  }

private:
  RankProgress advance(std::size_t rank, bool waits) {
    const std::size_t position = ended[rank];
    if (position == ranks[rank].size())
      return RankProgress::Ended;
    EventTimes &event = ranks[rank][position];
    if (begun[rank] == position) {
      const std::uint64_t before = position > 0 ? ranks[rank][position - 1].end : 0;
      event.begin = std::max(event.begin, before);
      const std::uint64_t least = isDrawn(timeline.ranks[rank].at(position)) ? 1 : 0;
      event.end = std::max(event.end, event.begin + least);
      ++begun[rank];
    }
    if (waits && !endAfterSends(rank, position, event))
      return RankProgress::Blocked;
    ++ended[rank];
    return RankProgress::Advanced;
  }

  bool endAfterSends(std::size_t rank, std::size_t position, EventTimes &event) {
    bool known = true;
    const auto ignore = [](std::uint32_t) {};
    messages.at(rank, position, ignore, ignore, [&](std::uint32_t index) {
      const EventPosition send = timeline.messages[index].send;
      if (!known || send.position >= ranks[send.rank].size())
        return;
      if (begun[send.rank] <= send.position) {
        driver.wakeWhenReached(send.rank, std::uint64_t{send.position} + 1, rank);
        known = false;
      } else {
        event.end = std::max(event.end, ranks[send.rank][send.position].begin + 2);
      }
    });
    return known;
  }

  const Timeline &timeline;
  std::vector<std::vector<EventTimes>> &ranks;
  const RunMessages messages;
  RankDriver driver;
  std::vector<std::uint64_t> begun, ended; // by rank: how many events
};

} // namespace

TimedRun TimedRun::recorded(const Timeline &timeline, const std::string &name) {
  TimedRun run(timeline);
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    const RankTimeline &events = timeline.ranks[rank];
    const std::vector<EventStatistics> &statistics = events.profile->statistics;
    double time = 0;
    for (const std::uint32_t number : events.numbers) {
      const Event &event = events.profile->events[number];
      time = std::max(time, event.time);
      double before = event.seconds, inside = 0;
      if (number < statistics.size() && statistics[number].count > 0) {
        const auto count = static_cast<double>(statistics[number].count);
        before = statistics[number].before / count;
        inside = statistics[number].inside / count;
      }
      const std::uint64_t begin = asNanoseconds(time + before, name);
      time += before + inside;
      run.ranks[rank].push_back({begin, asNanoseconds(time, name)});
    }
  }
  run.orderByCause();
  return run;
}

TimedRun TimedRun::simulated(const Timeline &timeline, const RunRecord &record,
                             const std::string &name) {
  TimedRun run(timeline);
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    const RankTimeline &events = timeline.ranks[rank];
    double time = record.begun;
    const std::size_t count = std::min(record.ends[rank].size(), events.size());
    for (std::size_t position = 0; position < count; ++position) {
      const double end = std::max(record.ends[rank][position], time);
      const double begin = std::min(time + events.work[events.numbers[position]], end);
      run.ranks[rank].push_back({asNanoseconds(begin, name), asNanoseconds(end, name)});
      time = end;
    }
  }
  run.orderByCause();
  return run;
}

void TimedRun::orderByCause() { CausalOrder(timeline, ranks).run(); }

std::uint64_t TimedRun::end() const {
  std::uint64_t last = 0;
  for (const std::vector<EventTimes> &rank : ranks)
    last = rank.empty() ? last : std::max(last, rank.back().end);
  return last;
}

bool TimedRun::isShown(const MatchedMessage &message) const {
  if (!message.matched() || message.send.position >= ranks[message.send.rank].size() ||
      takenAt(message) >= ranks[message.receive.rank].size())
    return false;
  const MessageTimes times = timesOf(message);
  return times.sent <= times.received;
}

MessageTimes TimedRun::timesOf(const MatchedMessage &message) const {
  return {ranks[message.send.rank][message.send.position].begin,
          ranks[message.receive.rank][takenAt(message)].end - 1};
}

} // namespace sendwright
