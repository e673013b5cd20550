// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many buffers a rank needs at once, while its receives come one by one.
//
// A message needs a buffer in an interval (after, until] of its receiver's nodes. Receives come in
// the order of `until`, so each new interval adds one to the end of what is there: to every place
// behind `after`. Only the largest need from each place on matters, and that falls from place to
// place: it is kept as a list of drops. Adding one to the end makes one drop smaller by one.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_BUFFERTIMELINE_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_BUFFERTIMELINE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

class BufferTimeline {
public:
  /// The most buffers in use at once so far.
  std::uint32_t peak() const { return most; }

  /// Adds an interval; `until` must not be less than that of any before. Logarithmic, and linear in
  /// the buffers that are in use beside one another.
  void add(std::uint32_t after, std::uint32_t until) {
    const auto place = std::upper_bound(
        drops.begin(), drops.end(), after,
        [](std::uint32_t position, const Drop &drop) { return position < drop.position; });
    std::size_t before = static_cast<std::size_t>(place - drops.begin());
    while (before > 0 && drops[before - 1].by == 0)
      --before;
    if (before == 0) {
      ++most;
    } else if (--drops[before - 1].by == 0) {
      ++empty;
    }
    if (trying)
      undo.push_back(before);
    drops.push_back({until, 1});
    if (!trying)
      compact();
  }

  /// From here on everything can be taken back, until keep() or takeBack(). Constant.
  void begin() {
    trying = true;
    peakBefore = most;
    undo.clear();
  }
  void keep() {
    trying = false;
    compact();
  }
  /// Linear in what was added.
  void takeBack() {
    for (; !undo.empty(); undo.pop_back()) {
      drops.pop_back();
      if (undo.back() > 0)
        empty -= drops[undo.back() - 1].by++ == 0;
    }
    most = peakBefore;
    trying = false;
  }

  void clear() {
    drops.clear();
    most = 0;
    empty = 0;
  }

private:
  struct Drop {
    std::uint32_t position; ///< up to where the need is larger than behind
    std::uint32_t by;
  };

  /// Drops of nothing are removed when they are more than the others.
  void compact() {
    if (empty < 8 || empty * 2 < drops.size())
      return;
    drops.erase(std::remove_if(drops.begin(), drops.end(), [](Drop drop) { return drop.by == 0; }),
                drops.end());
    empty = 0;
  }

  std::vector<Drop> drops;
  std::size_t empty = 0;
  std::uint32_t most = 0, peakBefore = 0;
  std::vector<std::size_t> undo; // per addition: behind which drop it began
  bool trying = false;
};

} // namespace sendwright

#endif
