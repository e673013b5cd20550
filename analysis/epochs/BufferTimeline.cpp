// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/BufferTimeline.h"

#include <algorithm>
#include <utility>

namespace sendwright {

void BufferTimeline::clear() {
  drops.clear();
  most = 0;
  empty = 0;
  append(0, 1);
}

void BufferTimeline::append(std::uint32_t position, std::uint32_t by) {
  const auto own = static_cast<std::uint32_t>(drops.size());
  drops.push_back({position, by, own, 1, own});
}

std::uint32_t BufferTimeline::rootOf(std::uint32_t drop) const {
  while (drops[drop].parent != drop)
    drop = drops[drop].parent;
  return drop;
}

void BufferTimeline::join(std::uint32_t drop, Step &step) {
  std::uint32_t root = rootOf(drop - 1), other = rootOf(drop);
  const std::uint32_t first = drops[root].first;
  if (drops[root].size < drops[other].size)
    std::swap(root, other);
  step.joined = other;
  step.first = drops[root].first;
  drops[other].parent = root;
  drops[root].size += drops[other].size;
  drops[root].first = first;
}

void BufferTimeline::add(std::uint32_t after, std::uint32_t until) {
  auto before = static_cast<std::uint32_t>(drops.size() - 1);
  if (drops[before].position > after) { // seldom: most needs end before the next begins
    const auto place = std::upper_bound(
        drops.begin() + 1, drops.end(), after,
        [](std::uint32_t position, const Drop &drop) { return position < drop.position; });
    before = static_cast<std::uint32_t>(place - drops.begin() - 1);
  }
  Step step{drops[rootOf(before)].first, 0, 0};
  if (step.lessened == 0) {
    ++most;
  } else if (--drops[step.lessened].by == 0) {
    ++empty;
    join(step.lessened, step);
  }
  if (trying)
    undo.push_back(step);
  append(until, 1);
  if (!trying)
    compact();
}

void BufferTimeline::begin() {
  trying = true;
  peakBefore = most;
  undo.clear();
}

void BufferTimeline::keep() {
  trying = false;
  compact();
}

void BufferTimeline::takeBack() {
  for (; !undo.empty(); undo.pop_back()) {
    drops.pop_back();
    const Step &step = undo.back();
    if (step.lessened == 0)
      continue;
    if (drops[step.lessened].by++ > 0)
      continue;
    --empty;
    Drop &joined = drops[step.joined];
    Drop &root = drops[joined.parent];
    root.size -= joined.size;
    root.first = step.first;
    joined.parent = step.joined;
  }
  most = peakBefore;
  trying = false;
}

/// Removes empty drops if they outnumber the others.
void BufferTimeline::compact() {
  if (empty < 8 || empty * 2 < drops.size())
    return;
  std::size_t kept = 0;
  for (const Drop &drop : drops)
    if (drop.by > 0) {
      const auto own = static_cast<std::uint32_t>(kept);
      drops[kept++] = {drop.position, drop.by, own, 1, own};
    }
  drops.resize(kept);
  empty = 0;
}

} // namespace sendwright
