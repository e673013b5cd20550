// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tags that change from one call to the next, as files keep them: relative to the last such tag at
// the same place. So the iterations of a program that numbers its messages are equal again, and a
// profile does not grow with their number. In memory all tags are absolute.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_RELATIVETAGS_H
#define SENDWRIGHT_ANALYSIS_TRACE_RELATIVETAGS_H

#include "analysis/trace/Profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace sendwright {

/// The last relative tag at each place of one rank: the function, the communicator and the address
/// of the call. Tags count from 0 at first.
class LastTags {
public:
  int &at(MpiFunctionId function, int communicator, std::uint64_t address) {
    return last[{static_cast<std::uint64_t>(function), static_cast<std::uint64_t>(communicator),
                 address}];
  }
  /// Bytes of memory in use. Constant time.
  std::size_t memory() const { return last.size() * (sizeof *last.begin() + 2 * sizeof(void *)); }

private:
  using Place = std::array<std::uint64_t, 3>;
  struct HashOfPlace {
    std::size_t operator()(const Place &place) const;
  };
  std::unordered_map<Place, int, HashOfPlace> last;
};

/// Replaces relative tags by the tags that they stand for, each by an event of its own with its
/// part of the statistics. At most `mostEvents` events are made: beyond, each rank keeps the same
/// part of its run, and is marked as truncated. Throws FormatError with `name` for tags that no run
/// has. Linear in the runs of ranks with relative tags.
void makeTagsAbsolute(Profile &profile, const std::string &name, std::uint64_t mostEvents);

} // namespace sendwright

#endif
