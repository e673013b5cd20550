// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/CommonPatterns.h"

#include <algorithm>
#include <functional>
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

/// A rank's patterns at the reference's executions, and what it sent in its execution before each.
struct Aligned {
  Numbers own, before;
  bool empty() const { return own.empty(); }
};

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

/// What was sent in the execution before each.
Stretches stretchesBefore(const PatternHistory &history, const Range &range) {
  Stretches stretches;
  std::uint32_t before = history.beforeFirst;
  for (const PastExecution &one : history.executions) {
    if (one.moment >= range.from && one.moment < range.until)
      stretches[one.moment.calls].push_back(before);
    before = one.pattern;
  }
  return stretches;
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

void append(Numbers &numbers, const Numbers &more) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

/// A rank's patterns at the reference's executions; empty if they contradict these. `before`: what
/// was sent before each of `own`.
Aligned align(const Stretches &reference, const Stretches &own, const Stretches &before,
              Ambiguous ambiguous) {
  for (const auto &[call, numbers] : own)
    if (const auto found = reference.find(call);
        found == reference.end() || found->second.size() < numbers.size())
      return {};
  Pairs pairs;
  std::set<std::uint32_t> uncertain;
  Aligned aligned;
  for (const auto &[call, longer] : reference) {
    const auto found = own.find(call);
    const Numbers shorter = found == own.end() ? Numbers() : found->second;
    std::size_t gapAfter = 0;
    std::vector<Numbers> possible;
    Pairs first;
    for (std::size_t place = 0; place <= shorter.size(); ++place) {
      Pairs with = pairs;
      if (!pairUp(with, longer, shorter, place, ambiguous))
        continue;
      if (possible.empty()) {
        first = std::move(with);
        gapAfter = place;
      }
      possible.push_back(withGap(shorter, place, longer.size()));
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
    append(aligned.own, possible.front());
    append(aligned.before,
           withGap(found == own.end() ? Numbers() : before.at(call), gapAfter, longer.size()));
  }
  for (std::uint32_t &number : aligned.own)
    if (uncertain.contains(number))
      number = nobody;
  return aligned;
}

/// The same for all ranks, with the reference that the fewest contradict.
std::vector<Aligned> alignAll(const std::vector<Stretches> &ranks,
                              const std::vector<Stretches> &before) {
  std::vector<Aligned> best;
  std::ptrdiff_t most = -1;
  for (const std::size_t reference : longest(ranks)) {
    std::vector<Aligned> aligned;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      aligned.push_back(align(ranks[reference], ranks[rank], before[rank], Ambiguous::Own));
      if (aligned.back().empty())
        aligned.back() = align(ranks[reference], ranks[rank], before[rank], Ambiguous::Reference);
    }
    const auto agreeing =
        std::ranges::count_if(aligned, [](const Aligned &one) { return !one.empty(); });
    if (agreeing > most) {
      most = agreeing;
      best = std::move(aligned);
    }
  }
  return best;
}

/// The places at which all ranks have the same patterns.
using Places = std::vector<std::size_t>;

std::map<Numbers, Places> placesAlike(const std::vector<Aligned> &ranks, std::size_t executions) {
  std::map<Numbers, Places> alike;
  for (std::size_t place = 0; place < executions; ++place) {
    Numbers ofRanks;
    ofRanks.reserve(ranks.size());
    for (const Aligned &one : ranks)
      ofRanks.push_back(one.empty() ? nobody : one.own[place]);
    alike[ofRanks].push_back(place);
  }
  return alike;
}

/// What the rank sent before it sent the same in each of these common patterns; nothing if that
/// does not tell them apart.
std::vector<PatternContext> tellApart(const Numbers &before, const std::vector<Places> &patterns) {
  std::map<std::uint32_t, std::size_t> belongsTo;
  for (std::size_t index = 0; index < patterns.size(); ++index)
    for (const std::size_t place : patterns[index])
      if (belongsTo.emplace(before[place], index).first->second != index)
        return {};
  std::vector<PatternContext> contexts(patterns.size());
  for (const auto &[number, own] : belongsTo)
    for (std::size_t index = 0; index < patterns.size(); ++index)
      (index == own ? contexts[index].after : contexts[index].notAfter).push_back(number);
  return contexts;
}

/// A rank that sends the same in several common patterns takes part in them if it can tell them
/// apart. `places`: of each.
void settleAmbiguous(std::vector<CommonPattern> &patterns, const std::vector<Places> &places,
                     const std::vector<Aligned> &ranks) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::map<std::uint32_t, std::vector<std::size_t>> inSeveral;
    for (std::size_t index = 0; index < patterns.size(); ++index)
      if (const std::uint32_t own = patterns[index].ofRanks[rank]; own != nobody)
        inSeveral[own].push_back(index);
    for (const auto &[own, indices] : inSeveral) {
      if (indices.size() == 1)
        continue;
      std::vector<Places> ofThese;
      for (const std::size_t index : indices)
        ofThese.push_back(places[index]);
      const std::vector<PatternContext> contexts = tellApart(ranks[rank].before, ofThese);
      for (std::size_t number = 0; number < indices.size(); ++number)
        if (contexts.empty())
          patterns[indices[number]].ofRanks[rank] = nobody;
        else
          patterns[indices[number]].contexts[rank] = contexts[number];
    }
  }
}

/// What `ofOne` says of each rank in the range.
std::vector<Stretches> allStretches(const std::vector<PatternHistory> &ranks, const Range &range,
                                    Stretches (*ofOne)(const PatternHistory &, const Range &)) {
  std::vector<Stretches> all;
  all.reserve(ranks.size());
  for (const PatternHistory &history : ranks)
    all.push_back(ofOne(history, range));
  return all;
}

/// The last executions of which there are enough.
Range latestRange(const std::vector<PatternHistory> &ranks) {
  const auto lengthOf = [](const std::vector<Stretches> &all) {
    return executionsIn(all[longest(all).front()]);
  };
  Range range = rangeBetweenCalls(ranks);
  std::vector<Stretches> all = allStretches(ranks, range, stretchesOf);
  if (lengthOf(all) < enoughExecutions)
    if (const Range open = rangeSinceLastCall(ranks); open.isOpen)
      if (std::vector<Stretches> since = allStretches(ranks, open, stretchesOf);
          lengthOf(since) > lengthOf(all)) {
        range = open;
        all = std::move(since);
      }
  keepLatest(range, all[longest(all).front()]);
  return range;
}

CommonPatterns findIn(const Range &range, const std::vector<PatternHistory> &ranks) {
  const std::vector<Aligned> aligned = alignAll(allStretches(ranks, range, stretchesOf),
                                                allStretches(ranks, range, stretchesBefore));
  const auto sent = std::ranges::find_if(aligned, [](const Aligned &one) { return !one.empty(); });
  CommonPatterns found;
  found.from = range.from;
  found.executions = sent == aligned.end() ? 0 : sent->own.size();
  std::vector<Places> places;
  for (auto &[ofRanks, alike] : placesAlike(aligned, found.executions)) {
    found.patterns.push_back({ofRanks, {}, alike.size()});
    places.push_back(alike);
  }
  settleAmbiguous(found.patterns, places, aligned);
  std::erase_if(found.patterns, [](const CommonPattern &one) {
    return one.executions < fewestExecutions ||
           std::ranges::all_of(one.ofRanks, [](std::uint32_t own) { return own == nobody; });
  });
  std::ranges::stable_sort(found.patterns, std::ranges::greater(), &CommonPattern::executions);
  if (found.patterns.size() > mostCommonPatterns)
    found.patterns.resize(mostCommonPatterns);
  return found;
}

/// Without what may have been a set-up: the later half of the executions between calls.
Range laterHalf(Range range, const std::vector<PatternHistory> &ranks) {
  const std::vector<Stretches> all = allStretches(ranks, range, stretchesOf);
  const Stretches &reference = all[longest(all).front()];
  const std::size_t half = executionsIn(reference) / 2;
  std::size_t sum = 0;
  for (auto stretch = reference.rbegin(); stretch != reference.rend() && sum < half; ++stretch) {
    sum += stretch->second.size();
    range.from.calls = stretch->first;
  }
  return range;
}

} // namespace

const PatternContext &CommonPattern::contextOf(std::size_t rank) const {
  static const PatternContext always;
  const auto found = contexts.find(rank);
  return found == contexts.end() ? always : found->second;
}

double ranksTakingPart(const CommonPatterns &common) {
  double part = 0;
  for (const CommonPattern &one : common.patterns)
    part += static_cast<double>(one.executions) / static_cast<double>(common.executions) *
            static_cast<double>(std::ranges::count_if(one.ofRanks, std::identity()));
  return part;
}

CommonPatterns findCommonPatterns(const std::vector<PatternHistory> &ranks) {
  constexpr double clearlyMore = 1.25; // seldom patterns are missing in the later half
  if (ranks.empty())
    return {};
  const Range range = latestRange(ranks);
  CommonPatterns found = findIn(range, ranks);
  const bool mayBeClearlyMore =
      clearlyMore * ranksTakingPart(found) < static_cast<double>(ranks.size());
  if (range.isOpen || !mayBeClearlyMore)
    return found;
  CommonPatterns later = findIn(laterHalf(range, ranks), ranks);
  return ranksTakingPart(later) > clearlyMore * ranksTakingPart(found) ? later : found;
}

} // namespace sendwright
