// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of its own patterns a rank has sent in its last executions of a loop, and when: after how
// many collective calls of all ranks, and how many executions after that call. Both are known to
// all ranks, so they can tell one another which of their executions belong together
// (CommonPatterns.h), in whatever order the patterns come.

#ifndef SENDWRIGHT_ANALYSIS_SHARING_PATTERNHISTORY_H
#define SENDWRIGHT_ANALYSIS_SHARING_PATTERNHISTORY_H

#include "analysis/file/Bytes.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace sendwright {

/// When an execution of a loop took place.
struct ExecutionMoment {
  std::uint64_t calls = 0; ///< collective calls of all ranks before it
  std::uint64_t place = 0; ///< executions of the loop between the last of these calls and it
  auto operator<=>(const ExecutionMoment &) const = default;
};

struct PastExecution {
  ExecutionMoment moment;
  std::uint32_t pattern = 0; ///< the rank's own number of the pattern; 0: it sent nothing
  bool operator==(const PastExecution &) const = default;
};

/// One rank's last executions of a loop, in their order.
struct PatternHistory {
  std::uint64_t calls = 0; ///< collective calls of all ranks so far
  std::vector<PastExecution> executions;
  std::uint32_t beforeFirst = 0; ///< pattern of the execution before the first of them, or 0
  /// By pattern, less 1: how many of its executions there were since the last of these calls, also
  /// before those above. Empty if that is not known.
  std::vector<std::uint64_t> sinceCall;
};

/// As bytes. Reading throws FormatError for anything that no rank says, such as a pattern of which
/// there are only `patterns`.
void encodeHistory(ByteWriter &out, const PatternHistory &history);
PatternHistory decodeHistory(ByteReader &in, std::size_t patterns);

/// By what a rank sent in the execution before it knows to which of several common patterns an
/// execution belongs. Numbers of the rank's own patterns; 0: it sent nothing.
struct PatternContext {
  std::vector<std::uint32_t> after;    ///< it belongs to this one; empty: in any case
  std::vector<std::uint32_t> notAfter; ///< it belongs to another one

  bool isAfter(std::uint32_t before) const {
    return after.empty() || std::ranges::find(after, before) != after.end();
  }
  /// Whether ranks can tell.
  bool knows(std::uint32_t before) const {
    return isAfter(before) || std::ranges::find(notAfter, before) != notAfter.end();
  }
};

/// Keeps the history of one rank at one loop, and numbers its patterns from 1 on.
class PatternRecord {
public:
  static constexpr std::size_t length = 512;        ///< executions that are kept
  static constexpr std::uint32_t mostPatterns = 64; ///< with more, everything is forgotten

  /// An execution is over, after so many collective calls; equal patterns have equal digests, and 0
  /// is that of nothing. Returns the pattern's number. O(log mostPatterns).
  std::uint32_t note(std::uint64_t digest, std::uint64_t calls);
  /// The pattern's number if it is known; 0 if not, and for nothing.
  std::uint32_t numberOf(std::uint64_t digest) const;
  /// How many of the last executions in a row had patterns that had been there twice before.
  std::uint64_t repeated() const { return inRow; }
  /// How often everything was forgotten: numbers are valid as long as this does not change.
  std::uint64_t forgotten() const { return timesForgotten; }
  std::uint32_t patterns() const { return static_cast<std::uint32_t>(numbers.size()); }
  /// `calls`: as of now.
  PatternHistory history(std::uint64_t calls) const;
  /// How many executions of the pattern there were after so many calls. 0 if that is not known.
  std::uint64_t countSince(std::uint64_t calls, std::uint32_t pattern) const;
  /// How many executions of the pattern there were from that moment on, if they belong to it after
  /// what was sent before; nothing if that is no longer known. O(length).
  std::optional<std::uint64_t> countFrom(const ExecutionMoment &moment, std::uint32_t pattern,
                                         const PatternContext &context = {}) const;

private:
  std::map<std::uint64_t, std::uint32_t> numbers; ///< by digest
  std::vector<std::uint64_t> counts;              ///< by number; also of nothing
  std::deque<PastExecution> last;
  std::uint32_t beforeFirst = 0; ///< the pattern before the first of `last`; 0: there is none
  std::optional<ExecutionMoment> latest;
  ExecutionMoment knownFrom;            ///< all executions from here on are in `last`
  std::vector<std::uint64_t> sinceCall; ///< by number, since the calls of `latest`
  bool isCountedSinceCall = true;       ///< nothing was forgotten since then
  std::uint64_t inRow = 0, timesForgotten = 0;
};

} // namespace sendwright

#endif
