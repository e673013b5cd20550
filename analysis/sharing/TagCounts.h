// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many messages with each tag one rank has sent to another. Programs that number their messages
// use a new tag in every iteration, so tags that have the same count and are equally far apart are
// kept as one run of tags: the memory does not grow with the iterations.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_TAGCOUNTS_H
#define SENDWRIGHT_ANALYSIS_SHARING_TAGCOUNTS_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sendwright {

/// Tags are 0 or more. All functions take time linear in the runs, of which there are at most
/// `mostRuns`. Tags that form no runs take a word each beyond these.
class TagCounts {
public:
  static constexpr std::size_t mostRuns = 16;

  std::uint32_t of(int tag) const;
  /// Counts one more, and returns how many there were before. If it throws std::bad_alloc, nothing
  /// has changed.
  std::uint32_t count(int tag);
  /// Counts one less: undoes the last count() of this tag, the last call before this one.
  void takeBack(int tag) noexcept;
  /// Runs and single tags in memory.
  std::size_t size() const { return runs.size() + others.size(); }

private:
  /// The tags first, first + step, and so on.
  struct Run {
    int first = 0, step = 1;
    std::uint32_t length = 1, count = 0;

    bool contains(int tag, std::uint32_t &place) const;
    bool wouldExtend(int tag, int newStep, int &nextStep) const;
  };
  std::size_t runOf(int tag, std::uint32_t &place) const;
  void remove(std::size_t run, std::uint32_t place);
  bool extend(int tag, std::uint32_t count);
  bool rearrange();
  void addTagsOf(const Run &run);

  int usualStep = 0;     ///< of new runs, once it is known; 0: whatever fits the second tag
  std::vector<Run> runs; ///< no tag is in two of them
  std::unordered_map<int, std::uint32_t> others; ///< counts here hold whatever a run says
};

} // namespace sendwright

#endif
