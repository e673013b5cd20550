// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/MovedPatterns.h"

#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/trace/TraceLocation.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

/// The calls of each member of a communicator, in order: the n-th calls of all belong together.
struct CallSequence {
  const std::vector<int> *members = nullptr;
  std::vector<std::vector<const Event *>> calls; // by member
};

std::map<std::uint32_t, CallSequence> sequencesOf(const Timeline &timeline,
                                                  const CollectiveCalls &calls) {
  std::map<std::uint32_t, CallSequence> sequences;
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    const RankTimeline &events = timeline.ranks[rank];
    for (std::size_t position = 0; position < events.size(); ++position) {
      const Event &event = events.at(position);
      std::uint32_t number = 0;
      const CallGroup *const group = event.kind == EventKind::Redistribution
                                         ? calls.groupOf(rank, event.communicator, number)
                                         : nullptr;
      const std::uint32_t member =
          group ? memberOf(group->members, static_cast<int>(rank)) : std::uint32_t{0};
      if (!group || member == group->members.size())
        continue;
      CallSequence &sequence = sequences[number];
      sequence.members = &group->members;
      sequence.calls.resize(group->members.size());
      sequence.calls[member].push_back(&event);
    }
  }
  return sequences;
}

/// What the members' calls say that they send and, of that, what their receivers say, too.
std::vector<Message> messagesOf(const CallSequence &sequence, std::size_t number) {
  std::map<std::pair<int, int>, std::int64_t> sent;
  std::set<std::pair<int, int>> received;
  const std::size_t ranks = sequence.members->size();
  for (std::size_t member = 0; member < ranks; ++member)
    for (const MovedMessage &moved : sequence.calls[member][number]->moved) {
      const std::uint32_t peer = memberOf(*sequence.members, moved.peer);
      const auto bytes =
          static_cast<std::int64_t>(std::min<std::uint64_t>(moved.bytes, std::uint64_t{1} << 52));
      if (peer >= ranks || peer == member || bytes <= 0)
        continue;
      if (moved.received)
        received.emplace(static_cast<int>(peer), static_cast<int>(member));
      else
        sent.try_emplace({static_cast<int>(member), static_cast<int>(peer)}, bytes);
    }
  std::vector<Message> messages;
  for (const auto &[ends, bytes] : sent)
    if (received.contains(ends))
      messages.push_back({ends.first, ends.second, bytes});
  return messages;
}

} // namespace

std::vector<MovedPattern> movedPatterns(const Profile &profile, const Timeline &timeline,
                                        const Machine &machine) {
  const CollectiveCalls calls(timeline, machine);
  std::vector<MovedPattern> patterns;
  using Key = std::tuple<std::string, std::size_t, std::vector<std::tuple<int, int, std::int64_t>>>;
  std::map<Key, std::size_t> known;
  for (const auto &[communicator, sequence] : sequencesOf(timeline, calls)) {
    std::size_t common = SIZE_MAX;
    for (const auto &ofMember : sequence.calls)
      common = std::min(common, ofMember.size());
    const RankProfile &first = profile.ranks[static_cast<std::size_t>(sequence.members->front())];
    for (std::size_t number = 0; number < common; ++number) {
      MovedPattern pattern{callPlace(profile, first, *sequence.calls[0][number]),
                           sequence.members->size(), messagesOf(sequence, number), 1};
      if (pattern.messages.empty())
        continue;
      Key key{pattern.place, pattern.ranks, {}};
      for (const Message &message : pattern.messages)
        std::get<2>(key).emplace_back(message.source, message.destination, message.elements);
      const auto [place, isNew] = known.try_emplace(std::move(key), patterns.size());
      if (isNew)
        patterns.push_back(std::move(pattern));
      else
        ++patterns[place->second].count;
    }
  }
  std::stable_sort(patterns.begin(), patterns.end(),
                   [](const auto &one, const auto &other) { return one.place < other.place; });
  return patterns;
}

} // namespace sendwright
