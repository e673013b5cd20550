// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a message's bytes lie in this rank's blocks. A message is a stream of bytes, the same at
// both ends; here it is a sequence of spans, each contiguous in memory.
//
// For each array, a message contains a product of runs (analysis/redistribution/Messages.h), one
// for each dimension: for each index of an outer dimension, all that the inner dimensions contain.
// Where a message contains all of this rank's block in a dimension, that dimension and the one
// outside of it are one.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_SPANCURSOR_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_SPANCURSOR_H

#include "analysis/redistribution/Messages.h"
#include "runtime/include/sendwright/redistribution.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright::redistribution {

struct Span {
  char *address = nullptr;
  std::uint64_t bytes = 0;
};

/// One array's part of a message, at one end. It refers to runs that must outlive it.
struct MessagePart {
  /// The runs of one dimension, or of several that are one.
  struct Level {
    const std::vector<StridedRun> *runs = nullptr;
    std::uint64_t bytes = 0; ///< from one index to the next
  };
  std::uint32_t array = 0;                         ///< index into the blocks
  bool sending = false;                            ///< which of the runs' offsets to use
  std::uint32_t depth = 0;                         ///< number of levels
  std::array<Level, SENDWRIGHT_DIMENSIONS> levels; ///< outermost first
  std::uint64_t offset = 0;                        ///< of the first index of all levels, bytes

  std::uint64_t bytes() const;
  /// The number of contiguous pieces; neighbouring pieces count separately.
  std::uint64_t spans() const;
};

/// The indices of one dimension for which a rank's memory has room, and how many of them lie before
/// the first that it counts.
struct Room {
  std::int64_t indices = 0, before = 0;
};

/// The part of a message that `entry` describes. `shape` has an entry for each dimension.
MessagePart makePart(std::uint32_t array, bool sending, const RankMessages &messages,
                     const RankMessages::Entry &entry, const std::vector<Room> &shape,
                     std::uint64_t elementSize);

/// Walks along a message. Cheap to copy; the parts must outlive it.
class SpanCursor {
public:
  SpanCursor() = default;
  /// `blocks`: the first byte of each array's block.
  SpanCursor(const std::vector<MessagePart> &parts, char *const *blocks);

  /// The next contiguous bytes, at most `limit`; empty at the end.
  Span next(std::uint64_t limit);

private:
  /// Where the cursor is on a level.
  struct Position {
    std::size_t run = 0;
    std::int64_t repetition = 0;
    std::int64_t index = 0; ///< in an interval; the innermost level takes whole intervals
  };

  const MessagePart &part() const { return (*parts)[current]; }
  /// The whole interval that the cursor is in, as bytes.
  Span interval() const;
  void advance();
  bool nextIn(const std::vector<StridedRun> &runs, Position &position) const;

  const std::vector<MessagePart> *parts = nullptr;
  char *const *blocks = nullptr;
  std::size_t current = 0; ///< index of the part
  std::array<Position, SENDWRIGHT_DIMENSIONS> at{};
  std::uint64_t taken = 0; ///< bytes taken of the interval
};

/// Copies the next `bytes` from one stream to another that has at least as many left; fewer at the
/// end. Returns the number copied.
std::uint64_t copyAlong(SpanCursor &from, SpanCursor &to, std::uint64_t bytes);

/// The same between a stream and plain memory.
void packFrom(SpanCursor &from, char *to, std::uint64_t bytes);
void unpackTo(const char *from, SpanCursor &to, std::uint64_t bytes);

} // namespace sendwright::redistribution

#endif
