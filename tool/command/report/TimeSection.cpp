// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When ranks do what: the recorded run, the simulated run as written and the one with the plan. The
// page holds two levels of detail: the whole run in cells of some ranks and some time, with the
// share of each kind of activity; and single intervals, of the beginning of a run that has too
// many.

#include "analysis/replay/RunPlaces.h"
#include "tool/command/report/PackedNumbers.h"
#include "tool/command/report/RankActivity.h"
#include "tool/command/report/ReportSections.h"
#include "tool/command/report/RunMarks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostCellRows = 256, cellColumns = 640;
constexpr std::size_t leastIntervals = 25'000, intervalsOfRank = 40;
constexpr std::size_t mostLines = 4'000; // messages
constexpr std::size_t mostSteps = 3'000; // of the critical path
constexpr std::size_t mostMarks = 8'000; // super epochs and synchronisations, at each rank

/// How one of the runs is visited.
struct ShownRun {
  const char *name;
  const RunRecord *record;  // null for the recorded run
  const RunSimulation *run; // likewise
};

class RunDrawing {
public:
  RunDrawing(const ReportData &data, ShownRun shown,
             const std::vector<std::vector<std::uint32_t>> &placeOf,
             const std::vector<RunMark> &marks)
      : data(data), shown(shown), placeOf(placeOf), marks(marks), ranks(data.timeline.ranks.size()),
        rows(std::min(ranks, mostCellRows)) {}

  Json json() {
    measure();
    if (duration <= 0)
      return nullptr;
    fillCells();
    if (!shown.record)
      recorded = recordedEnds();
    Json json = {{"name", shown.name},     {"seconds", duration},        {"rows", rows},
                 {"columns", cellColumns}, {"kinds", activityKinds},     {"cells", packed(shares)},
                 {"detail", detailJson()}, {"messages", messagesJson()}, {"marks", marksJson()}};
    if (shown.run)
      json["path"] = pathJson();
    return json;
  }

private:
  template <typename Visit> void visit(std::size_t rank, Visit &&visit) const {
    shown.record ? visitSimulated(data.timeline, *shown.record, rank, visit)
                 : visitRecorded(data.timeline, rank, visit);
  }

  void measure() {
    std::vector<double> begins;
    const std::size_t most = std::max(leastIntervals, intervalsOfRank * ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      visit(rank, [&](const ActivityInterval &interval) {
        duration = std::max(duration, interval.end);
        begins.push_back(interval.begin);
      });
    if (begins.size() <= most)
      return;
    std::nth_element(begins.begin(), begins.begin() + static_cast<std::ptrdiff_t>(most),
                     begins.end());
    detailEnd = begins[most];
  }

  /// Each cell has the share of every kind but the last, which is what remains, in 255ths.
  void fillCells() {
    std::vector<float> seconds(rows * cellColumns * activityKinds);
    const double column = duration / cellColumns;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t row = rank * rows / ranks;
      visit(rank, [&](const ActivityInterval &interval) {
        const auto last = static_cast<std::size_t>(
            std::min(interval.end / column, static_cast<double>(cellColumns - 1)));
        for (auto at = static_cast<std::size_t>(interval.begin / column); at <= last; ++at) {
          const double begin = std::max(interval.begin, static_cast<double>(at) * column);
          const double end = std::min(interval.end, static_cast<double>(at + 1) * column);
          seconds[(row * cellColumns + at) * activityKinds +
                  static_cast<std::size_t>(interval.kind)] +=
              static_cast<float>(std::max(end - begin, 0.0));
        }
      });
    }
    shares.reserve(rows * cellColumns * (activityKinds - 1));
    for (std::size_t row = 0; row < rows; ++row) {
      // Rows differ by one rank where the ranks are no multiple of them.
      const std::size_t first = (row * ranks + rows - 1) / rows;
      const std::size_t next = ((row + 1) * ranks + rows - 1) / rows;
      const double whole = column * static_cast<double>(std::max<std::size_t>(next - first, 1));
      for (std::size_t at = 0; at < cellColumns; ++at)
        for (std::size_t kind = 0; kind + 1 < activityKinds; ++kind) {
          const double share = seconds[(row * cellColumns + at) * activityKinds + kind] / whole;
          shares.push_back(
              static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0))));
        }
    }
  }

  /// A time as a part of the run.
  std::uint32_t ticks(double seconds) const {
    const double part = std::clamp(seconds / duration, 0.0, 1.0);
    return static_cast<std::uint32_t>(
        part * static_cast<double>(std::numeric_limits<std::uint32_t>::max()));
  }

  Json detailJson() const {
    std::vector<std::uint32_t> first, ends;
    std::vector<std::uint16_t> places;
    std::vector<std::uint8_t> kinds;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      first.push_back(static_cast<std::uint32_t>(ends.size()));
      visit(rank, [&](const ActivityInterval &interval) {
        if (interval.begin >= detailEnd)
          return;
        const auto place = static_cast<std::uint16_t>(
            std::min<std::uint32_t>(placeOf[rank][interval.event], 0xffff));
        if (!kinds.empty() && ends.size() > first.back() &&
            kinds.back() == static_cast<std::uint8_t>(interval.kind) && places.back() == place) {
          ends.back() = ticks(interval.end);
          return;
        }
        ends.push_back(ticks(interval.end));
        kinds.push_back(static_cast<std::uint8_t>(interval.kind));
        places.push_back(place);
      });
    }
    first.push_back(static_cast<std::uint32_t>(ends.size()));
    return {{"until", std::min(detailEnd, duration)},
            {"first", packed(first)},
            {"ends", packed(ends)},
            {"kinds", packed(kinds)},
            {"places", packed(places)}};
  }

  // Messages: from the end of the call that sends to the end of the call that receives.

  Json messagesJson() const {
    struct Line {
      double begin, end;
      std::uint32_t sender, receiver;
    };
    std::vector<Line> lines;
    const std::vector<std::vector<double>> &ends = endsOfEvents();
    for (const MatchedMessage &message : data.timeline.messages) {
      if (!message.matched())
        continue;
      const std::uint32_t sender = message.send.rank, receiver = message.receive.rank;
      const std::size_t taken =
          message.completion != noPosition ? message.completion : message.receive.position;
      if (message.send.position >= ends[sender].size() || taken >= ends[receiver].size())
        continue;
      if (const double begin = ends[sender][message.send.position]; begin < detailEnd)
        lines.push_back({begin, ends[receiver][taken], sender, receiver});
    }
    const std::size_t all = lines.size(), kept = std::min(all, mostLines);
    std::partial_sort(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(kept), lines.end(),
                      [](const Line &one, const Line &other) { return one.begin < other.begin; });
    std::vector<std::uint32_t> numbers;
    for (std::size_t index = 0; index < kept; ++index)
      for (const std::uint32_t number : {lines[index].sender, ticks(lines[index].begin),
                                         lines[index].receiver, ticks(lines[index].end)})
        numbers.push_back(number);
    return {{"until", kept < all ? lines[kept - 1].begin : std::min(detailEnd, duration)},
            {"lines", packed(numbers)}};
  }

  /// By rank and position.
  const std::vector<std::vector<double>> &endsOfEvents() const {
    return shown.record ? shown.record->ends : recorded;
  }

  // Marks: when the call begins before which they are.

  /// Nothing if the rank does not come so far.
  std::optional<double> timeBefore(std::size_t rank, std::size_t position) const {
    const std::vector<double> &ends = endsOfEvents()[rank];
    const RankTimeline &events = data.timeline.ranks[rank];
    if (position > ends.size())
      return std::nullopt;
    const double before = position > 0   ? ends[position - 1]
                          : shown.record ? shown.record->begun
                                         : 0;
    if (position == events.size())
      return before;
    const double begin = before + workBefore(events, events.numbers[position]);
    return position < ends.size() ? std::min(begin, ends[position]) : begin;
  }

  double workBefore(const RankTimeline &events, std::uint32_t number) const {
    if (shown.record)
      return events.work[number];
    const EventStatistics &each = events.profile->statistics[number];
    return each.before / static_cast<double>(std::max<std::uint64_t>(each.count, 1));
  }

  Json marksJson() const {
    std::vector<std::pair<double, const RunMark *>> timed;
    for (const RunMark &mark : marks)
      if (const auto time = timeBefore(mark.rank, mark.position))
        timed.emplace_back(*time, &mark);
    std::stable_sort(timed.begin(), timed.end(),
                     [](const auto &one, const auto &other) { return one.first < other.first; });
    const std::size_t all = timed.size();
    timed.resize(std::min(all, mostMarks));
    std::vector<std::uint32_t> numbers;
    for (const auto &[time, mark] : timed)
      for (const std::uint32_t number :
           {mark->rank, static_cast<std::uint32_t>(mark->kind), mark->number, ticks(time)})
        numbers.push_back(number);
    return {{"until", timed.size() < all ? timed.back().first : duration},
            {"all", all},
            {"list", packed(numbers)}};
  }

  std::vector<std::vector<double>> recordedEnds() const {
    std::vector<std::vector<double>> ends(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const RankTimeline &events = data.timeline.ranks[rank];
      double time = 0;
      for (const std::uint32_t number : events.numbers) {
        const EventStatistics &each = events.profile->statistics[number];
        time += (each.before + each.inside) /
                static_cast<double>(std::max<std::uint64_t>(each.count, 1));
        ends[rank].push_back(time);
      }
    }
    return ends;
  }

  Json pathJson() const {
    const std::vector<PathStep> &path = shown.run->path;
    Json steps = Json::array();
    for (std::size_t index = 0; index < std::min(path.size(), mostSteps); ++index)
      steps.push_back({path[index].rank, path[index].begin, path[index].end, path[index].place});
    return {{"all", path.size()}, {"steps", std::move(steps)}};
  }

  const ReportData &data;
  const ShownRun shown;
  const std::vector<std::vector<std::uint32_t>> &placeOf; // by rank and event number
  const std::vector<RunMark> &marks;
  std::vector<std::vector<double>> recorded; // by rank and position: when each event was over
  const std::size_t ranks, rows;
  double duration = 0, detailEnd = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> shares;
};

/// Super epochs, and where the plan synchronises.
std::vector<RunMark> marksOf(const ReportData &data) {
  std::vector<RunMark> marks;
  if (data.epochs)
    marks = superEpochMarks(data.timeline, *data.epochs);
  if (const SynchronizationPlan *const plan = data.synchronization())
    for (const RunMark &mark : synchronizationMarks(data.timeline, *plan))
      marks.push_back(mark);
  return marks;
}

} // namespace

Json timeSection(const ReportData &data) {
  std::vector<SimulatedPlace> places;
  const std::vector<std::vector<std::uint32_t>> placeOf = numberPlaces(data.profile, places);
  const bool hasTimes =
      std::all_of(data.profile.ranks.begin(), data.profile.ranks.end(),
                  [](const RankProfile &rank) { return !rank.statistics.empty(); });
  std::vector<ShownRun> shown;
  if (hasTimes)
    shown.push_back({"recorded", nullptr, nullptr});
  shown.push_back({"written", &data.written.record, &data.written.run});
  if (data.planned)
    shown.push_back({"planned", &data.planned->record, &data.planned->run});
  const std::vector<RunMark> marks = marksOf(data);
  Json runs = Json::array();
  for (const ShownRun &each : shown)
    if (Json run = RunDrawing(data, each, placeOf, marks).json(); !run.is_null())
      runs.push_back(std::move(run));
  if (runs.empty())
    return {{"absent", "The run takes no time."}};
  Json names = Json::array();
  for (const SimulatedPlace &place : places)
    names.push_back({place.place, place.function});
  return {{"ranks", data.timeline.ranks.size()},
          {"cut", data.timeline.cut},
          {"super_epochs", data.epochs ? data.epochs->superEpochs.count : 0},
          {"synchronized", data.synchronization() != nullptr},
          {"places", std::move(names)},
          {"runs", std::move(runs)}};
}

} // namespace sendwright
