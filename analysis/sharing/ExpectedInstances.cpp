// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/ExpectedInstances.h"

#include <algorithm>
#include <utility>

namespace sendwright {

std::uint64_t ExpectedInstances::beforeNext(std::size_t exchange) const {
  return meetsNext() ? anyNumber : total[exchange] + expectedStep()[exchange];
}

void ExpectedInstances::append(Counts step) {
  steps.push_back(std::move(step));
  if (steps.size() > 8 * longestPeriod)
    steps.erase(steps.begin(), steps.end() - 4 * longestPeriod);
}

void ExpectedInstances::pass() {
  Counts step = expectedStep();
  for (std::size_t exchange = 0; exchange < total.size(); ++exchange)
    total[exchange] += step[exchange];
  append(std::move(step));
  --left;
}

bool ExpectedInstances::repeats(std::size_t length) const {
  const std::size_t compared = std::max(length, evidence);
  if (steps.size() < length + compared)
    return false;
  const auto from = steps.end() - static_cast<std::ptrdiff_t>(compared);
  return std::equal(from, steps.end(), from - static_cast<std::ptrdiff_t>(length));
}

/// The shortest period; 0 if there is none.
std::size_t ExpectedInstances::findPeriod() const {
  for (std::size_t length = 1; length <= longestPeriod; ++length)
    if (repeats(length))
      return length;
  return 0;
}

bool ExpectedInstances::isIdle() const {
  return std::all_of(
      steps.end() - static_cast<std::ptrdiff_t>(period), steps.end(), [](const Counts &step) {
        return std::all_of(step.begin(), step.end(), [](std::uint64_t one) { return one == 0; });
      });
}

void ExpectedInstances::agree(const Counts &counts, bool asExpected) {
  Counts step(total.size());
  for (std::size_t exchange = 0; exchange < total.size(); ++exchange)
    step[exchange] = counts[exchange] - std::min(counts[exchange], total[exchange]);
  total = counts;
  left = 0;
  if (!asExpected) {
    steps.clear();
    period = run = 0;
    return;
  }
  const bool wentOn = period != 0 && step == expectedStep();
  append(std::move(step));
  period = findPeriod();
  if (period == 0)
    run = 0;
  else
    run = wentOn && run != 0 ? std::min(2 * run, isIdle() ? longestIdleRun : longestRun) : firstRun;
  left = run;
}

} // namespace sendwright
