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
  advance();
  --left;
}

/// The next step of the recorded run is expected.
void ExpectedInstances::advance() {
  if (place && ++*place == recorded->size()) {
    lastPlace = *place;
    place.reset();
    likeness = std::max<std::size_t>(likeness, 4);
  }
}

/// The run does something else.
void ExpectedInstances::leaveRecorded() {
  if (!place)
    return;
  lastPlace = *place;
  place.reset();
  likeness *= 2;
  if (likeness > largestLikeness)
    recorded = nullptr;
}

/// Whether the latest steps are those before `end` in the recorded run.
bool ExpectedInstances::isLike(std::size_t end) const {
  if (end < likeness)
    return false;
  for (std::size_t back = 1; back <= likeness; ++back)
    if (steps[steps.size() - back] != (*recorded)[end - back])
      return false;
  return true;
}

/// The first place after the last one, or from the beginning on.
void ExpectedInstances::seekPlace() {
  if (!recorded || steps.size() < likeness)
    return;
  const std::size_t all = recorded->size();
  for (std::size_t turn = 0; turn < all && !place; ++turn)
    if (const std::size_t end = (lastPlace + turn) % all; isLike(end))
      place = end;
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
    leaveRecorded();
    return;
  }
  const bool wentOn = (place || period != 0) && step == expectedStep();
  append(std::move(step));
  if (wentOn)
    advance();
  else
    leaveRecorded();
  if (!place)
    seekPlace();
  period = findPeriod();
  setRun(wentOn);
}

void ExpectedInstances::setRun(bool wentOn) {
  if (!place && period == 0) {
    run = 0;
    return;
  }
  const std::uint64_t longest = !place && isIdle() ? longestIdleRun : longestRun;
  run = wentOn && run != 0 ? std::min(2 * run, longest) : firstRun;
  left = place ? std::min<std::uint64_t>(run, recorded->size() - *place) : run;
}

} // namespace sendwright
