// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many patterns a loop has that come by turns, found while it runs: a function that sends the
// halos of several fields, always in the same order, is one loop with a turn for each field. Each
// rank finds the turns of what it sends itself. It may see fewer than others do (it sends the same
// twice, or nothing), but always a divisor of the number that all see together: the least common
// multiple. So ranks that tell one another what they found need only ever adopt more turns.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_PATTERNTURNS_H
#define SENDWRIGHT_ANALYSIS_SHARING_PATTERNTURNS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace sendwright {

class PatternTurns {
public:
  static constexpr unsigned most = 16;

  unsigned count() const { return turns; }
  /// Executions so far.
  std::uint64_t executions() const { return noted; }
  /// To which turn the next execution belongs.
  unsigned next() const { return static_cast<unsigned>(noted % turns); }
  /// How many executions of that turn there were.
  std::uint64_t executionsOf(unsigned turn) const {
    return noted <= turn ? 0 : (noted - turn - 1) / turns + 1;
  }

  /// An execution is over; equal patterns have equal numbers. O(most^2); O(count()) while they
  /// repeat.
  void note(std::uint64_t pattern) {
    last[noted++ % last.size()] = pattern;
    if (!repeats(turns))
      for (unsigned more = 2 * turns; more <= most; more += turns)
        if (repeats(more)) {
          turns = more;
          return;
        }
  }

  /// What there would be if another rank has found so many; 0 if these are too many.
  unsigned with(unsigned found) const {
    const unsigned both = found == 0 || found > most ? 0 : std::lcm(turns, found);
    return both <= most ? both : 0;
  }
  /// Another rank has found so many.
  void adopt(unsigned found) {
    if (const unsigned both = with(found))
      turns = both;
  }

private:
  /// Whether so many executions have been repeated twice.
  bool repeats(unsigned period) const {
    if (noted < 3 * std::uint64_t(period))
      return false;
    for (unsigned back = 1; back <= 2 * period; ++back)
      if (at(back) != at(back + period))
        return false;
    return true;
  }
  std::uint64_t at(unsigned back) const { return last[(noted - back) % last.size()]; }

  std::array<std::uint64_t, std::size_t(3) * most> last{}; ///< in a ring
  std::uint64_t noted = 0;
  unsigned turns = 1;
};

} // namespace sendwright

#endif
