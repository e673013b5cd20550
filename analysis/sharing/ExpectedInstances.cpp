// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/ExpectedInstances.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sendwright {

std::uint64_t ExpectedInstances::beforeNext(std::size_t exchange) const {
  return meetsNext() ? anyNumber : total[exchange] + expectedStep()[exchange];
}

void ExpectedInstances::append(Counts step) {
  steps.push_back(std::move(step));
  if (steps.size() > 2 * mostKept)
    steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(mostKept));
}

void ExpectedInstances::pass() {
  Counts step = expectedStep();
  for (std::size_t exchange = 0; exchange < total.size(); ++exchange)
    total[exchange] += step[exchange];
  append(std::move(step));
  ++passed;
  --left;
  advance();
}

/// The next step of the recorded run is expected.
void ExpectedInstances::advance() {
  if (place && ++*place == recorded->size()) {
    lastPlace = *place;
    place.reset();
    likeness = std::max(likeness, leastLikeness);
    if (period == 0)
      left = 0; // nothing more is expected
  }
}

/// The run does something else, or goes on with what it has done for long.
void ExpectedInstances::leaveRecorded(bool goesOn) {
  if (!place)
    return;
  lastPlace = *place;
  place.reset();
  likeness = goesOn ? std::max(likeness, leastLikeness) : 2 * likeness;
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

/// The first place from `from` on, or from the beginning on.
void ExpectedInstances::seekPlace(std::size_t from) {
  if (!recorded || steps.size() < likeness)
    return;
  const std::size_t all = recorded->size();
  for (std::size_t turn = 0; turn < all && !place; ++turn)
    if (const std::size_t end = (from + turn) % all; isLike(end))
      place = end;
}

/// The shortest distance d for which enough of the latest steps are those that came d steps before
/// them, or a longer one for which more are, and more than d; 0 if there is none. Takes linear
/// time: `like` of each d is the length of a common beginning of the steps, read backwards, and of
/// themselves from the d-th on (D. Gusfield, Algorithms on Strings, Trees, and Sequences, 1997,
/// section 1.4).
std::size_t ExpectedInstances::findPeriod() const {
  const std::size_t size = std::min(steps.size(), mostKept);
  const auto back = [this](std::size_t index) -> const Counts & {
    return steps[steps.size() - 1 - index];
  };
  std::vector<std::size_t> like(size);
  std::size_t from = 0, end = 0; // the common beginning that ends last
  const std::size_t enough = hasRepeated ? evidenceLater : evidence;
  std::size_t best = 0;
  for (std::size_t distance = 1; distance < size; ++distance) {
    std::size_t &length = like[distance];
    length = distance < end ? std::min(end - distance, like[distance - from]) : 0;
    while (distance + length < size && back(length) == back(distance + length))
      ++length;
    if (distance + length > end) {
      from = distance;
      end = distance + length;
    }
    if (best == 0 ? length >= enough : length >= distance + enough && length > like[best])
      best = distance;
  }
  return best;
}

/// Whether the numbers have repeated for so long that they may go on where the recorded run ended.
bool ExpectedInstances::isSteady() const {
  if (period == 0 || steps.size() < longestPeriod + period)
    return false;
  const auto from = steps.end() - static_cast<std::ptrdiff_t>(longestPeriod);
  return std::equal(from, steps.end(), from - static_cast<std::ptrdiff_t>(period));
}

bool ExpectedInstances::isLong(const Counts &step) {
  return std::accumulate(step.begin(), step.end(), std::uint64_t{0}) > longestStep;
}

/// How many of the next `most` steps of the recorded run are expected without a meeting. Not behind
/// a long step: in another run it may be longer still. Nor where a steady period goes on otherwise.
std::uint64_t ExpectedInstances::undoubted(std::uint64_t most) const {
  const bool steady = isSteady();
  const std::size_t from = place.value_or(0);
  for (std::uint64_t ahead = 0; ahead < most; ++ahead) {
    const Counts &step = (*recorded)[from + ahead];
    if (isLong(step) || (steady && step != steps[steps.size() - period + ahead % period]))
      return ahead;
  }
  return most;
}

std::vector<ExpectedInstances::Counts> ExpectedInstances::repeated() const {
  if (period > longestPeriod)
    return {};
  std::vector<Counts> all(steps.end() - static_cast<std::ptrdiff_t>(period), steps.end());
  return std::ranges::any_of(all, isLong) ? std::vector<Counts>() : all;
}

void ExpectedInstances::begin(const std::vector<Counts> &repeatedSteps) {
  if (repeatedSteps.empty() || repeatedSteps.size() > longestPeriod ||
      std::ranges::any_of(repeatedSteps, isLong))
    return;
  const std::size_t periods = 2 + evidence / repeatedSteps.size();
  for (std::size_t turn = 0; turn < periods; ++turn)
    steps.insert(steps.end(), repeatedSteps.begin(), repeatedSteps.end());
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
  left = passed = 0;
  if (!asExpected) {
    steps.clear();
    period = run = 0;
    hasRepeated = false;
    leaveRecorded(false);
    return;
  }
  const bool isRepeated = period != 0 && step == steps[steps.size() - period];
  const bool isRecorded = place && step == (*recorded)[*place];
  const bool goesOn = isSteady() && isRepeated;
  append(std::move(step));
  if (isRecorded)
    advance();
  else
    leaveRecorded(goesOn);
  if (!place) // if the run goes on otherwise there, it is not the same place again
    seekPlace(lastPlace + (goesOn ? 1 : 0));
  if (!isRepeated)
    period = findPeriod();
  hasRepeated |= period != 0;
  setRun(isRepeated || isRecorded);
}

void ExpectedInstances::agree(const Counts &counts, const std::vector<Counts> &made) {
  const bool isComplete = made.size() == passed + 1 && steps.size() >= passed;
  if (!isComplete ||
      std::ranges::any_of(made, [this](const Counts &step) { return step.size() != total.size(); }))
    return agree(counts, false);
  steps.resize(steps.size() - passed); // they were not made
  for (const Counts &step : made)
    append(step);
  total = counts;
  left = passed = 0;
  leaveRecorded(false);
  seekPlace(lastPlace);
  period = findPeriod();
  hasRepeated |= period != 0;
  setRun(false);
}

void ExpectedInstances::setRun(bool wentOn) {
  if (!place && period == 0) {
    run = 0;
    return;
  }
  const std::uint64_t longest = !place && isIdle() ? longestIdleRun : longestRun;
  run = wentOn && run != 0 ? std::min(2 * run, longest) : firstRun;
  left = place ? undoubted(std::min<std::uint64_t>(run, recorded->size() - *place)) : run;
}

} // namespace sendwright
