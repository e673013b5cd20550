// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many buffers a rank needs at once, while its receives come one by one.
//
// A message needs a buffer in an interval (after, until] of its receiver's nodes. Receives come in
// the order of `until`, so each new interval ends where the line ends so far: it adds one to the
// need at every place behind `after`. Only the largest need from each place on matters. It falls
// from place to place and is kept as a list of drops. Adding one to the end makes one drop smaller
// by one: the last drop before `after` that is not yet empty.
//
// Disjoint sets find this drop (Tarjan, 'Efficiency of a good but not linear set union algorithm',
// 1975): each drop that is not empty forms a set with the empty drops behind it. Sets are joined by
// size and paths are not compressed, so that a join can be undone.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_BUFFERTIMELINE_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_BUFFERTIMELINE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

class BufferTimeline {
public:
  BufferTimeline() { clear(); }

  /// The most buffers in use at once so far.
  std::uint32_t peak() const { return most; }

  /// Adds an interval; `until` must not be less than in an earlier call. Logarithmic in the
  /// intervals so far.
  void add(std::uint32_t after, std::uint32_t until);

  /// Everything after this can be undone, until keep() or takeBack(). Constant time.
  void begin();
  /// Constant on average.
  void keep();
  /// Linear in what was added since begin().
  void takeBack();

  void clear();

private:
  struct Drop {
    std::uint32_t position; ///< up to where the need is larger than behind it
    std::uint32_t by;
    std::uint32_t parent;    ///< in the tree of its set; a root is its own parent
    std::uint32_t size = 1;  ///< of the set; at its root
    std::uint32_t first = 0; ///< the drop of the set that is not empty; at its root
  };
  /// What undoes one addition.
  struct Step {
    std::uint32_t lessened; ///< the drop that became smaller; 0 if the peak grew instead
    std::uint32_t joined;   ///< the root that got a parent when that drop became empty
    std::uint32_t first;    ///< the new root's former `first`
  };

  void append(std::uint32_t position, std::uint32_t by);
  std::uint32_t rootOf(std::uint32_t drop) const;
  /// Joins the set of a drop that became empty with the set before it.
  void join(std::uint32_t drop, Step &step);
  void compact();

  std::vector<Drop> drops; // the drop at 0 stands for the peak and never becomes empty
  std::size_t empty = 0;
  std::uint32_t most = 0, peakBefore = 0;
  std::vector<Step> undo; // by addition
  bool trying = false;
};

} // namespace sendwright

#endif
