// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tag that is counted moves from a run with its count to a run with the next count, which in a
// program that uses its tags in turn is the end of a run that grows.

#include "analysis/sharing/TagCounts.h"

#include <utility>

namespace sendwright {

bool TagCounts::Run::contains(int tag, std::uint32_t &place) const {
  const std::int64_t distance = std::int64_t{tag} - first;
  if (distance % step != 0)
    return false;
  const std::int64_t at = distance / step;
  if (at < 0 || at >= length)
    return false;
  place = static_cast<std::uint32_t>(at);
  return true;
}

/// A run of one tag has no step yet. `newStep`: the step that it must get, or 0.
bool TagCounts::Run::wouldExtend(int tag, int newStep, int &nextStep) const {
  if (length == UINT32_MAX)
    return false;
  nextStep = length > 1 ? step : newStep != 0 ? newStep : tag - first;
  return std::int64_t{first} + std::int64_t{nextStep} * length == tag;
}

std::size_t TagCounts::runOf(int tag, std::uint32_t &place) const {
  for (std::size_t index = runs.size(); index-- > 0;)
    if (runs[index].contains(tag, place))
      return index;
  return runs.size();
}

std::uint32_t TagCounts::of(int tag) const {
  if (!others.empty())
    if (const auto known = others.find(tag); known != others.end())
      return known->second;
  std::uint32_t place = 0;
  const std::size_t run = runOf(tag, place);
  return run < runs.size() ? runs[run].count : 0;
}

/// Takes a tag out of its run, which may fall into two.
void TagCounts::remove(std::size_t index, std::uint32_t place) {
  Run &run = runs[index];
  const std::int64_t next = run.first + std::int64_t{run.step} * (std::int64_t{place} + 1);
  const Run behind{static_cast<int>(next), run.step, run.length - place - 1, run.count};
  run.length = place;
  if (run.length == 0 && behind.length == 0)
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(index));
  else if (run.length == 0)
    run = behind;
  else if (behind.length > 0)
    runs.push_back(behind);
}

bool TagCounts::extend(int tag, std::uint32_t count) {
  for (Run &run : runs)
    if (int step = 1; run.count == count && run.wouldExtend(tag, usualStep, step)) {
      run.step = step;
      ++run.length;
      return true;
    }
  return false;
}

/// A program with several messages in an iteration makes a short run in each. If the last runs are
/// equally far apart, that distance is the step that makes few runs. Returns whether it has made
/// room.
bool TagCounts::rearrange() {
  constexpr std::size_t compared = 4;
  if (usualStep != 0 || runs.size() < compared)
    return false;
  const auto firstOf = [this](std::size_t back) {
    return std::int64_t{runs[runs.size() - back].first};
  };
  const std::int64_t distance = firstOf(1) - firstOf(2);
  for (std::size_t back = 2; back < compared; ++back)
    if (firstOf(back) - firstOf(back + 1) != distance)
      return false;
  std::vector<Run> room;
  room.reserve(runs.capacity());
  std::vector<Run> before = std::exchange(runs, std::move(room));
  usualStep = static_cast<int>(distance);
  try {
    for (const Run &run : before)
      addTagsOf(run);
  } catch (...) { // no memory
    runs = std::move(before);
    usualStep = 0;
    throw;
  }
  return true;
}

/// One by one, by the usual step.
void TagCounts::addTagsOf(const Run &run) {
  for (std::uint32_t place = 0; place < run.length; ++place) {
    const int tag = static_cast<int>(run.first + std::int64_t{run.step} * place);
    if (extend(tag, run.count))
      continue;
    if (runs.size() < mostRuns)
      runs.push_back({tag, 1, 1, run.count});
    else
      others.emplace(tag, run.count);
  }
}

std::uint32_t TagCounts::count(int tag) {
  if (!others.empty())
    if (const auto known = others.find(tag); known != others.end())
      return known->second++;
  runs.reserve(mostRuns + 2);
  std::uint32_t place = 0;
  const std::size_t run = runOf(tag, place);
  const std::uint32_t before = run < runs.size() ? runs[run].count : 0;
  if (before == 0 && extend(tag, 1))
    return 0;
  if (runs.size() + 2 > mostRuns && rearrange())
    return count(tag);
  if (runs.size() + 2 > mostRuns) {
    others.emplace(tag, before + 1);
    return before;
  }
  if (before > 0)
    remove(run, place);
  if (before == 0 || !extend(tag, before + 1))
    runs.push_back({tag, 1, 1, before + 1});
  return before;
}

void TagCounts::takeBack(int tag) noexcept {
  if (const auto known = others.find(tag); known != others.end()) {
    --known->second;
    return;
  }
  std::uint32_t place = 0;
  const std::size_t run = runOf(tag, place);
  if (run == runs.size())
    return;
  const std::uint32_t before = runs[run].count - 1;
  remove(run, place);
  if (before > 0)
    runs.push_back({tag, 1, 1, before}); // there is room: count() has reserved it
}

} // namespace sendwright
