// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/RelativeTags.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "analysis/file/Limits.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

/// The mean time before an event, without the longest and the shortest if there are others.
double typicalBefore(const EventStatistics &statistics) {
  const auto count = static_cast<double>(statistics.count);
  if (statistics.count < 3)
    return statistics.count > 0 ? statistics.before / count : 0;
  return std::max(
      (statistics.before - statistics.beforeMaximum - statistics.beforeMinimum) / (count - 2), 0.0);
}

/// What `count` of the occurrences took: each as long as most of them.
EventStatistics partOf(const EventStatistics &whole, std::uint64_t count) {
  EventStatistics part = whole;
  part.count = count;
  const double typical = typicalBefore(whole);
  part.before = count < 3 ? typical * static_cast<double>(count)
                          : typical * static_cast<double>(count - 2) + whole.beforeMinimum +
                                whole.beforeMaximum;
  part.inside = whole.count > 0
                    ? whole.inside / static_cast<double>(whole.count) * static_cast<double>(count)
                    : 0;
  return part;
}

bool hasRelativeTags(const RankProfile &rank) {
  return std::ranges::any_of(rank.events, &Event::relativeTag);
}

/// One rank, followed from its beginning.
class TagFollower {
public:
  TagFollower(const RankProfile &rank, const std::string &name, std::uint64_t mostEvents,
              std::uint64_t mostPositions)
      : rank(rank), name(name), mostEvents(mostEvents), mostPositions(mostPositions) {
    numbers.assign(rank.events.size(), unknown);
    for (std::size_t number = 0; number < rank.events.size(); ++number)
      if (!rank.events[number].relativeTag)
        numbers[number] = add(rank.events[number], number);
    ownEvents = events.size();
  }

  /// False if the run would have more new events.
  bool follow() {
    rank.sequence.forEach([&](std::uint32_t number) {
      if (positions++ == mostPositions)
        return false;
      const Event &event = rank.events[number];
      const std::uint32_t known = event.relativeTag ? absolute(number) : numbers[number];
      ++counts[known];
      sequence.append(known);
      return events.size() - ownEvents <= mostEvents;
    });
    return events.size() - ownEvents <= mostEvents;
  }

  std::uint64_t madeEvents() const { return events.size() - ownEvents; }

  /// The rank with absolute tags. What was not followed is only in the statistics.
  RankProfile absoluteRank() {
    RankProfile result = rank;
    result.truncated |= positions > mostPositions;
    addRest();
    result.statistics = statisticsOfEvents();
    result.events = std::move(events);
    result.sequence = sequence.grammar();
    return result;
  }

private:
  static constexpr std::uint32_t unknown = UINT32_MAX;

  std::uint32_t add(const Event &event, std::size_t origin) {
    events.push_back(event);
    origins.push_back(origin);
    counts.push_back(0);
    return static_cast<std::uint32_t>(events.size() - 1);
  }

  std::uint32_t absolute(std::uint32_t number) {
    const Event &event = rank.events[number];
    int &last = lastTags.at(event.function, event.communicator, event.address);
    const std::int64_t tag = std::int64_t{last} + event.tag;
    const bool both = mpiFunction(event.function).role == MpiRole::SendReceive;
    const std::int64_t receiveTag = both ? tag + event.receiveTag : event.receiveTag;
    for (const std::int64_t value : {tag, receiveTag})
      if (value < anyTag || value > INT32_MAX)
        throw FormatError(name + ": tag " + std::to_string(value) +
                          ", expected relative tags that lead to " + std::to_string(anyTag) +
                          " to " + std::to_string(INT32_MAX));
    last = static_cast<int>(tag);
    const auto [place, isNew] =
        made.try_emplace(std::uint64_t{number} << 32 | static_cast<std::uint32_t>(last), unknown);
    if (isNew) {
      place->second = add(event, number);
      Event &copy = events.back();
      copy.relativeTag = false;
      copy.tag = last;
      copy.receiveTag = static_cast<int>(receiveTag);
    }
    return place->second;
  }

  /// Occurrences of relative events that were not followed keep an event, with the last known tag.
  void addRest() {
    if (rank.statistics.empty())
      return;
    std::vector<std::uint64_t> rest(rank.events.size());
    for (std::size_t number = 0; number < rest.size(); ++number)
      rest[number] = rank.events[number].relativeTag ? rank.statistics[number].count : 0;
    for (std::size_t index = ownEvents; index < events.size(); ++index)
      rest[origins[index]] -= std::min(rest[origins[index]], counts[index]);
    for (std::size_t number = 0; number < rest.size(); ++number) {
      if (rest[number] == 0)
        continue;
      Event event = rank.events[number];
      event.relativeTag = false;
      event.tag = lastTags.at(event.function, event.communicator, event.address);
      event.receiveTag = 0;
      add(event, number);
      counts.back() = rest[number];
    }
  }

  std::vector<EventStatistics> statisticsOfEvents() const {
    std::vector<EventStatistics> statistics;
    if (rank.statistics.empty())
      return statistics;
    for (std::size_t index = 0; index < events.size(); ++index) {
      const EventStatistics &whole = rank.statistics[origins[index]];
      statistics.push_back(index < ownEvents ? whole : partOf(whole, counts[index]));
    }
    return statistics;
  }

  const RankProfile &rank;
  const std::string &name;
  const std::uint64_t mostEvents, mostPositions;
  std::uint64_t positions = 0;
  std::vector<std::uint32_t> numbers;                    // of events with absolute tags
  std::unordered_map<std::uint64_t, std::uint32_t> made; // by number and tag
  std::vector<Event> events;
  std::size_t ownEvents = 0; // events that had absolute tags
  std::vector<std::size_t> origins;
  std::vector<std::uint64_t> counts;
  LastTags lastTags;
  GrammarBuilder sequence;
};

/// The ranks with absolute tags, `part` of each one's run; nothing if that makes too many events.
std::optional<std::vector<RankProfile>> followTags(const Profile &profile, const std::string &name,
                                                   std::uint64_t mostEvents, double part) {
  std::vector<RankProfile> ranks;
  for (const RankProfile &rank : profile.ranks) {
    if (!hasRelativeTags(rank)) {
      ranks.push_back(rank);
      continue;
    }
    const std::uint64_t positions =
        part < 1 ? static_cast<std::uint64_t>(part * static_cast<double>(rank.sequence.length()))
                 : UINT64_MAX;
    TagFollower follower(rank, name, mostEvents, positions);
    if (!follower.follow())
      return {};
    mostEvents -= follower.madeEvents();
    ranks.push_back(follower.absoluteRank());
  }
  return ranks;
}

} // namespace

std::size_t LastTags::HashOfPlace::operator()(const Place &place) const {
  return XXH3_64bits(place.data(), sizeof place);
}

void makeTagsAbsolute(Profile &profile, const std::string &name, std::uint64_t mostEvents) {
  double positions = 0, relative = 0; // calls of ranks with relative tags, and those calls
  for (const RankProfile &rank : profile.ranks) {
    if (!hasRelativeTags(rank))
      continue;
    positions += static_cast<double>(rank.sequence.length());
    const std::vector<std::uint64_t> counts =
        rank.sequence.occurrences(static_cast<std::uint32_t>(rank.events.size()));
    for (std::size_t number = 0; number < counts.size(); ++number)
      if (rank.events[number].relativeTag)
        relative += static_cast<double>(counts[number]);
  }
  if (positions == 0)
    return;
  // Each relative call may have a tag of its own, but tags in a cycle are few.
  double part = std::min(1.0, static_cast<double>(limits::followedCalls.most) / positions);
  const double sure = static_cast<double>(mostEvents) / std::max(relative, 1.0);
  while (true) {
    std::optional<std::vector<RankProfile>> ranks = followTags(profile, name, mostEvents, part);
    if (ranks) {
      std::ranges::move(*ranks, profile.ranks.begin());
      return;
    }
    part = part > sure ? sure : part * 0.9;
  }
}

} // namespace sendwright
