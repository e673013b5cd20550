// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PatternsByPartners.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace sendwright {

namespace {

constexpr std::uint64_t fewestCounted = 3;           ///< executions of a pattern
constexpr std::uint64_t farthest = 8, partOfAll = 4; ///< how far apart counts are, and which part

bool areClose(std::uint64_t one, std::uint64_t other) {
  const auto [least, most] = std::minmax(one, other);
  return most - least <= farthest + most / partOfAll;
}

/// All patterns of all ranks, numbered through; those that belong together have one representative.
class Groups {
public:
  Groups(const std::vector<PatternHistory> &ranks, const std::vector<Destinations> &sent)
      : ranks(ranks), sent(sent) {
    for (const PatternHistory &history : ranks) {
      first.push_back(parents.size());
      parents.resize(parents.size() + history.sinceCall.size());
    }
    std::iota(parents.begin(), parents.end(), std::size_t{0});
  }

  void unite() {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      for (std::size_t pattern = 0; pattern < patternsOf(rank); ++pattern)
        for (const std::int32_t other : sent[rank][pattern])
          uniteWith(rank, pattern, static_cast<std::size_t>(other));
  }

  /// Members of each group: rank and pattern.
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> members() {
    std::map<std::size_t, std::vector<std::pair<std::size_t, std::size_t>>> of;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      for (std::size_t pattern = 0; pattern < patternsOf(rank); ++pattern)
        of[representative(first[rank] + pattern)].emplace_back(rank, pattern);
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> all;
    for (auto &[root, group] : of)
      if (group.size() > 1)
        all.push_back(std::move(group));
    return all;
  }

private:
  std::size_t patternsOf(std::size_t rank) const {
    return std::min(ranks[rank].sinceCall.size(), sent[rank].size());
  }

  /// With that pattern of the other rank that answers this one, if there is just one.
  void uniteWith(std::size_t rank, std::size_t pattern, std::size_t other) {
    const std::uint64_t count = ranks[rank].sinceCall[pattern];
    std::size_t answers = 0, answer = 0;
    for (std::size_t candidate = 0; candidate < patternsOf(other); ++candidate) {
      const std::uint64_t counted = ranks[other].sinceCall[candidate];
      if (std::min(count, counted) < fewestCounted || !areClose(count, counted) ||
          !std::ranges::binary_search(sent[other][candidate], static_cast<std::int32_t>(rank)))
        continue;
      ++answers;
      answer = candidate;
    }
    if (answers == 1)
      parents[representative(first[rank] + pattern)] = representative(first[other] + answer);
  }

  std::size_t representative(std::size_t of) {
    while (parents[of] != of)
      of = parents[of] = parents[parents[of]];
    return of;
  }

  const std::vector<PatternHistory> &ranks;
  const std::vector<Destinations> &sent;
  std::vector<std::size_t> first, parents;
};

/// Whether all have made equally many calls, and know what they have executed since the last one.
bool areComparable(const std::vector<PatternHistory> &ranks) {
  return std::ranges::all_of(ranks, [&](const PatternHistory &history) {
    return history.calls == ranks.front().calls && !history.sinceCall.empty();
  });
}

} // namespace

CommonPatterns findPatternsByPartners(const std::vector<PatternHistory> &ranks,
                                      const std::vector<Destinations> &sent) {
  CommonPatterns found;
  if (ranks.empty() || !areComparable(ranks))
    return found;
  found.byPartners = true;
  found.from = {ranks.front().calls, 0};
  for (const PatternHistory &history : ranks)
    found.executions =
        std::max(found.executions, std::accumulate(history.sinceCall.begin(),
                                                   history.sinceCall.end(), std::uint64_t{0}));
  Groups groups(ranks, sent);
  groups.unite();
  for (const auto &group : groups.members()) {
    CommonPattern pattern{std::vector<std::uint32_t>(ranks.size()), {}, UINT64_MAX};
    std::uint64_t most = 0;
    bool isUnique = true;
    for (const auto &[rank, own] : group) {
      const std::uint64_t count = ranks[rank].sinceCall[own];
      isUnique &= pattern.ofRanks[rank] == 0;
      pattern.ofRanks[rank] = static_cast<std::uint32_t>(own + 1);
      pattern.executions = std::min(pattern.executions, count);
      most = std::max(most, count);
    }
    if (isUnique && areClose(pattern.executions, most))
      found.patterns.push_back(std::move(pattern));
  }
  std::ranges::stable_sort(found.patterns, std::ranges::greater(), &CommonPattern::executions);
  if (found.patterns.size() > mostCommonPatterns)
    found.patterns.resize(mostCommonPatterns);
  return found;
}

} // namespace sendwright
