// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PatternHistory.h"

#include <algorithm>
#include <string>

namespace sendwright {

namespace {

constexpr std::uint64_t seenBefore = 2; ///< so often, and the pattern counts as repeated

} // namespace

void encodeHistory(ByteWriter &out, const PatternHistory &history) {
  out.number(history.calls);
  out.number(history.executions.size());
  for (const PastExecution &one : history.executions) {
    out.number(one.moment.calls);
    out.number(one.moment.place);
    out.number(one.pattern);
  }
  out.number(history.beforeFirst);
  out.number(history.sinceCall.size());
  for (const std::uint64_t count : history.sinceCall)
    out.number(count);
}

PatternHistory decodeHistory(ByteReader &in, std::size_t patterns) {
  PatternHistory history;
  history.calls = in.number();
  in.resize(history.executions, 3);
  const PastExecution *before = nullptr;
  for (PastExecution &one : history.executions) {
    one.moment.calls = in.number(history.calls, "collective call");
    one.moment.place = in.number();
    one.pattern = static_cast<std::uint32_t>(in.number(patterns, "pattern"));
    if (before && before->moment >= one.moment)
      in.fail("execution " + std::to_string(one.moment.place) + " after call " +
              std::to_string(one.moment.calls) + ", expected a later one than before");
    before = &one;
  }
  history.beforeFirst = static_cast<std::uint32_t>(in.number(patterns, "pattern"));
  in.resize(history.sinceCall);
  if (!history.sinceCall.empty() && history.sinceCall.size() != patterns)
    in.fail("counts of " + std::to_string(history.sinceCall.size()) + " patterns, expected " +
            std::to_string(patterns));
  for (std::uint64_t &count : history.sinceCall)
    count = in.number();
  return history;
}

std::uint32_t PatternRecord::note(std::uint64_t digest, std::uint64_t calls) {
  const bool isNew = digest != 0 && !numbers.contains(digest);
  const ExecutionMoment moment{calls, latest && latest->calls == calls ? latest->place + 1 : 0};
  if (isNew && numbers.size() == mostPatterns) {
    numbers.clear();
    counts.clear();
    last.clear();
    beforeFirst = 0;
    knownFrom = moment;
    sinceCall.clear();
    isCountedSinceCall = false;
    inRow = 0;
    ++timesForgotten;
  }
  if (moment.place == 0) {
    sinceCall.clear();
    isCountedSinceCall = true;
  }
  latest = moment;
  const std::uint32_t number =
      digest == 0 ? 0 : numbers.try_emplace(digest, patterns() + 1).first->second;
  counts.resize(std::max<std::size_t>(counts.size(), number + std::size_t{1}));
  inRow = counts[number]++ >= seenBefore ? inRow + 1 : 0;
  sinceCall.resize(counts.size());
  ++sinceCall[number];
  last.push_back({moment, number});
  if (last.size() > length) {
    beforeFirst = last.front().pattern;
    last.pop_front();
    knownFrom = last.front().moment;
  }
  return number;
}

std::uint32_t PatternRecord::numberOf(std::uint64_t digest) const {
  const auto found = numbers.find(digest);
  return found == numbers.end() ? 0 : found->second;
}

PatternHistory PatternRecord::history(std::uint64_t calls) const {
  PatternHistory made{calls, {last.begin(), last.end()}, beforeFirst, {}};
  if (latest && latest->calls == calls && !isCountedSinceCall)
    return made;
  for (std::uint32_t number = 1; number <= patterns(); ++number)
    made.sinceCall.push_back(countSince(calls, number));
  return made;
}

std::uint64_t PatternRecord::countSince(std::uint64_t calls, std::uint32_t pattern) const {
  const bool isKnown = latest && latest->calls == calls && isCountedSinceCall;
  return isKnown && pattern < sinceCall.size() ? sinceCall[pattern] : 0;
}

std::optional<std::uint64_t> PatternRecord::countFrom(const ExecutionMoment &moment,
                                                      std::uint32_t pattern,
                                                      const PatternContext &context) const {
  if (latest && moment == ExecutionMoment{latest->calls, 0} && isCountedSinceCall &&
      context.after.empty())
    return countSince(moment.calls, pattern);
  if (moment < knownFrom)
    return std::nullopt;
  std::uint64_t count = 0;
  std::uint32_t before = beforeFirst;
  for (const PastExecution &one : last) {
    if (one.pattern == pattern && one.moment >= moment && context.isAfter(before))
      ++count;
    before = one.pattern;
  }
  return count;
}

} // namespace sendwright
