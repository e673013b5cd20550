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
  return history;
}

std::uint32_t PatternRecord::note(std::uint64_t digest, std::uint64_t calls) {
  const bool isNew = digest != 0 && !numbers.contains(digest);
  const ExecutionMoment moment{calls, latest && latest->calls == calls ? latest->place + 1 : 0};
  if (isNew && numbers.size() == mostPatterns) {
    numbers.clear();
    counts.clear();
    last.clear();
    knownFrom = moment;
    inRow = 0;
    ++timesForgotten;
  }
  latest = moment;
  const std::uint32_t number =
      digest == 0 ? 0 : numbers.try_emplace(digest, patterns() + 1).first->second;
  counts.resize(std::max<std::size_t>(counts.size(), number + std::size_t{1}));
  inRow = counts[number]++ >= seenBefore ? inRow + 1 : 0;
  last.push_back({moment, number});
  if (last.size() > length) {
    last.pop_front();
    knownFrom = last.front().moment;
  }
  return number;
}

std::uint32_t PatternRecord::numberOf(std::uint64_t digest) const {
  const auto found = numbers.find(digest);
  return found == numbers.end() ? 0 : found->second;
}

std::optional<std::uint64_t> PatternRecord::countFrom(const ExecutionMoment &moment,
                                                      std::uint32_t pattern) const {
  if (moment < knownFrom)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::ranges::count_if(last, [&](const PastExecution &one) {
    return one.pattern == pattern && one.moment >= moment;
  }));
}

} // namespace sendwright
