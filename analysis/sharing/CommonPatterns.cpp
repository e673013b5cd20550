// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/CommonPatterns.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace sendwright {

namespace {

constexpr std::size_t enoughExecutions = 96, mostExecutions = 256; ///< that are looked at
constexpr std::uint64_t fewestExecutions = 3;                      ///< of a common pattern
constexpr std::size_t mostReferences = 3; ///< ranks with which the others are compared
constexpr std::uint32_t nobody = 0;

using Numbers = std::vector<std::uint32_t>; ///< patterns of one rank

/// The moments from `from` up to `until`.
struct Range {
  ExecutionMoment from, until;
  bool isOpen = false; ///< no call ends it
};

/// What a rank executed between two calls; one list for each stretch of the loop that has any.
using Stretches = std::map<std::uint64_t, Numbers>; ///< by call

std::optional<ExecutionMoment> firstOf(const PatternHistory &history) {
  if (history.executions.empty())
    return std::nullopt;
  return history.executions.front().moment;
}

/// From the first call after which all ranks know everything, to the last that all have made.
Range rangeBetweenCalls(const std::vector<PatternHistory> &ranks) {
  Range range;
  range.until.calls = std::numeric_limits<std::uint64_t>::max();
  for (const PatternHistory &history : ranks) {
    if (const auto first = firstOf(history))
      range.from.calls = std::max(range.from.calls, first->calls + (first->place == 0 ? 0 : 1));
    range.until.calls = std::min(range.until.calls, history.calls);
  }
  return range;
}

/// What all ranks know since their last call, if that is the same.
Range rangeSinceLastCall(const std::vector<PatternHistory> &ranks) {
  Range range;
  range.isOpen = true;
  const std::uint64_t calls = ranks.front().calls;
  range.from = {calls, 0};
  range.until = {calls, std::numeric_limits<std::uint64_t>::max()};
  for (const PatternHistory &history : ranks) {
    if (history.executions.empty() || history.calls != calls ||
        history.executions.back().moment.calls != calls)
      return {};
    if (const ExecutionMoment first = history.executions.front().moment; first.calls == calls)
      range.from.place = std::max(range.from.place, first.place);
    range.until.place = std::min(range.until.place, history.executions.back().moment.place + 1);
  }
  return range;
}

Stretches stretchesOf(const PatternHistory &history, const Range &range) {
  Stretches stretches;
  for (const PastExecution &one : history.executions)
    if (one.moment >= range.from && one.moment < range.until)
      stretches[one.moment.calls].push_back(one.pattern);
  return stretches;
}

std::size_t executionsIn(const Stretches &stretches) {
  std::size_t sum = 0;
  for (const auto &[call, numbers] : stretches)
    sum += numbers.size();
  return sum;
}

std::size_t patternsIn(const Stretches &stretches) {
  std::set<std::uint32_t> all;
  for (const auto &[call, numbers] : stretches)
    all.insert(numbers.begin(), numbers.end());
  all.erase(nobody);
  return all.size();
}

/// The ranks with most executions; of several, those with most patterns first.
std::vector<std::size_t> longest(const std::vector<Stretches> &ranks) {
  std::vector<std::pair<std::size_t, std::size_t>> lengths;
  lengths.reserve(ranks.size());
  for (const Stretches &own : ranks)
    lengths.emplace_back(executionsIn(own), patternsIn(own));
  std::vector<std::size_t> best(ranks.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  std::ranges::stable_sort(best, std::ranges::greater(),
                           [&](std::size_t rank) { return lengths[rank]; });
  best.resize(std::min(best.size(), mostReferences));
  return best;
}

/// Moves the beginning of the range to where enough executions follow, and cuts off what is too
/// much.
void keepLatest(Range &range, const Stretches &reference) {
  if (range.isOpen) {
    const std::uint64_t length = range.until.place - range.from.place;
    if (length > mostExecutions)
      range.from.place = range.until.place - mostExecutions;
    return;
  }
  std::size_t sum = 0;
  for (auto stretch = reference.rbegin(); stretch != reference.rend(); ++stretch) {
    if (sum >= enoughExecutions || sum + stretch->second.size() > mostExecutions)
      return;
    sum += stretch->second.size();
    range.from.calls = stretch->first;
  }
}

/// A rank may send the same in two patterns of the reference, or the reference in two of its own.
enum class Ambiguous { Own, Reference };

/// Which pattern of a rank belongs to each of the reference's, as far as is known; if the reference
/// is ambiguous, which of the reference's to each of its own.
using Pairs = std::map<std::uint32_t, std::uint32_t>;

/// Adds what follows if `own` is `reference` but for a gap after `before` executions. Returns
/// whether that contradicts nothing.
bool pairUp(Pairs &pairs, const Numbers &reference, const Numbers &own, std::size_t before,
            Ambiguous ambiguous) {
  const std::size_t gap = reference.size() - own.size();
  for (std::size_t place = 0; place < reference.size(); ++place) {
    const bool isMissing = place >= before && place < before + gap;
    const std::uint32_t number = isMissing ? nobody : own[place < before ? place : place - gap];
    auto pair = std::pair(reference[place], number);
    if (ambiguous == Ambiguous::Reference)
      std::swap(pair.first, pair.second);
    if (pair.first != nobody && pairs.insert(pair).first->second != pair.second)
      return false;
  }
  return true;
}

Numbers withGap(const Numbers &own, std::size_t before, std::size_t length) {
  Numbers filled = own;
  filled.insert(filled.begin() + static_cast<std::ptrdiff_t>(before), length - own.size(), nobody);
  return filled;
}

/// A rank's patterns at the reference's executions; empty if they contradict these.
Numbers align(const Stretches &reference, const Stretches &own, Ambiguous ambiguous) {
  for (const auto &[call, numbers] : own)
    if (const auto found = reference.find(call);
        found == reference.end() || found->second.size() < numbers.size())
      return {};
  Pairs pairs;
  std::set<std::uint32_t> uncertain;
  Numbers aligned;
  for (const auto &[call, longer] : reference) {
    const auto found = own.find(call);
    const Numbers shorter = found == own.end() ? Numbers() : found->second;
    std::vector<Numbers> possible;
    Pairs first;
    for (std::size_t before = 0; before <= shorter.size(); ++before) {
      Pairs with = pairs;
      if (!pairUp(with, longer, shorter, before, ambiguous))
        continue;
      if (possible.empty())
        first = std::move(with);
      possible.push_back(withGap(shorter, before, longer.size()));
      if (shorter.size() == longer.size())
        break;
    }
    if (possible.empty())
      return {};
    for (const Numbers &other : possible)
      for (std::size_t place = 0; place < other.size(); ++place)
        if (other[place] != possible.front()[place]) {
          uncertain.insert(other[place]);
          uncertain.insert(possible.front()[place]);
        }
    pairs = std::move(first);
    aligned.insert(aligned.end(), possible.front().begin(), possible.front().end());
  }
  for (std::uint32_t &number : aligned)
    if (uncertain.contains(number))
      number = nobody;
  return aligned;
}

/// The same for all ranks, with the reference that the fewest contradict.
std::vector<Numbers> alignAll(const std::vector<Stretches> &ranks) {
  std::vector<Numbers> best;
  std::ptrdiff_t most = -1;
  for (const std::size_t reference : longest(ranks)) {
    std::vector<Numbers> aligned;
    for (const Stretches &own : ranks) {
      aligned.push_back(align(ranks[reference], own, Ambiguous::Own));
      if (aligned.back().empty())
        aligned.back() = align(ranks[reference], own, Ambiguous::Reference);
    }
    const auto agreeing =
        std::ranges::count_if(aligned, [](const Numbers &own) { return !own.empty(); });
    if (agreeing > most) {
      most = agreeing;
      best = std::move(aligned);
    }
  }
  return best;
}

/// Executions at which all ranks have the same patterns as at others, counted.
std::map<Numbers, std::uint64_t> countAlike(const std::vector<Numbers> &ranks,
                                            std::size_t executions) {
  std::map<Numbers, std::uint64_t> counted;
  for (std::size_t place = 0; place < executions; ++place) {
    Numbers ofRanks;
    for (const Numbers &own : ranks)
      ofRanks.push_back(own.empty() ? nobody : own[place]);
    ++counted[ofRanks];
  }
  return counted;
}

/// A rank cannot tell apart common patterns in which it sends the same.
void leaveOutAmbiguous(std::vector<CommonPattern> &patterns, std::size_t ranks) {
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::map<std::uint32_t, int> times;
    for (const CommonPattern &one : patterns)
      ++times[one.ofRanks[rank]];
    for (CommonPattern &one : patterns)
      if (times[one.ofRanks[rank]] > 1)
        one.ofRanks[rank] = nobody;
  }
}

} // namespace

CommonPatterns findCommonPatterns(const std::vector<PatternHistory> &ranks) {
  CommonPatterns found;
  if (ranks.empty())
    return found;
  const auto stretchesOfAll = [&](const Range &range) {
    std::vector<Stretches> all;
    all.reserve(ranks.size());
    for (const PatternHistory &history : ranks)
      all.push_back(stretchesOf(history, range));
    return all;
  };
  const auto lengthOf = [](const std::vector<Stretches> &all) {
    return executionsIn(all[longest(all).front()]);
  };
  Range range = rangeBetweenCalls(ranks);
  std::vector<Stretches> all = stretchesOfAll(range);
  if (lengthOf(all) < enoughExecutions)
    if (const Range open = rangeSinceLastCall(ranks); open.isOpen)
      if (std::vector<Stretches> since = stretchesOfAll(open); lengthOf(since) > lengthOf(all)) {
        range = open;
        all = std::move(since);
      }
  keepLatest(range, all[longest(all).front()]);
  all = stretchesOfAll(range);
  const std::vector<Numbers> aligned = alignAll(all);
  const auto sent = std::ranges::find_if(aligned, [](const Numbers &own) { return !own.empty(); });
  found.from = range.from;
  found.executions = sent == aligned.end() ? 0 : sent->size();
  for (auto &[ofRanks, executions] : countAlike(aligned, found.executions))
    found.patterns.push_back({ofRanks, executions});
  leaveOutAmbiguous(found.patterns, ranks.size());
  std::erase_if(found.patterns, [](const CommonPattern &one) {
    return one.executions < fewestExecutions ||
           std::ranges::all_of(one.ofRanks, [](std::uint32_t own) { return own == nobody; });
  });
  std::ranges::stable_sort(found.patterns, std::ranges::greater(), &CommonPattern::executions);
  if (found.patterns.size() > mostCommonPatterns)
    found.patterns.resize(mostCommonPatterns);
  return found;
}

} // namespace sendwright
