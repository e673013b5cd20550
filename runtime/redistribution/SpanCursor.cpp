// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/SpanCursor.h"

#include <algorithm>
#include <cstring>

namespace sendwright::redistribution {

namespace {

/// A run's intervals as they lie at one end, with neighbouring intervals joined.
struct RunHere {
  std::int64_t begin, length, count, stride;
  RunHere(const StridedRun &run, bool sending)
      : begin(sending ? run.sender : run.receiver), length(run.length), count(run.count),
        stride(sending ? run.senderStride : run.receiverStride) {
    if (stride == length) {
      length *= count;
      count = 1;
    }
  }
};

/// Whether runs are all of `indices` in one piece.
bool isWhole(const std::vector<StridedRun> &runs, bool sending, std::int64_t indices) {
  if (runs.size() != 1)
    return false;
  const RunHere run(runs.front(), sending);
  return run.count == 1 && run.length == indices;
}

std::int64_t indicesIn(const std::vector<StridedRun> &runs) {
  std::int64_t indices = 0;
  for (const StridedRun &run : runs)
    indices += run.length * run.count;
  return indices;
}

} // namespace

std::uint64_t MessagePart::bytes() const {
  std::uint64_t bytes = levels[depth - 1].bytes;
  for (std::uint32_t level = 0; level < depth; ++level)
    bytes *= static_cast<std::uint64_t>(indicesIn(*levels[level].runs));
  return bytes;
}

std::uint64_t MessagePart::spans() const {
  std::uint64_t intervals = 0;
  for (const StridedRun &run : *levels[depth - 1].runs)
    intervals += static_cast<std::uint64_t>(RunHere(run, sending).count);
  for (std::uint32_t level = 0; level + 1 < depth; ++level)
    intervals *= static_cast<std::uint64_t>(indicesIn(*levels[level].runs));
  return intervals;
}

MessagePart makePart(std::uint32_t array, bool sending, const RankMessages &messages,
                     const RankMessages::Entry &entry, const std::vector<Room> &shape,
                     std::uint64_t elementSize) {
  MessagePart part;
  part.array = array;
  part.sending = sending;
  std::uint64_t bytes = elementSize;
  for (std::size_t dimension = shape.size(); dimension-- > 0;) {
    const std::vector<StridedRun> &runs = messages.runs(entry, dimension);
    if (part.depth == 1 && isWhole(*part.levels[0].runs, sending, shape[dimension + 1].indices))
      part.depth = 0;
    part.levels[part.depth++] = {&runs, bytes};
    part.offset += static_cast<std::uint64_t>(shape[dimension].before) * bytes;
    bytes *= static_cast<std::uint64_t>(shape[dimension].indices);
  }
  std::reverse(part.levels.begin(), part.levels.begin() + part.depth);
  return part;
}

SpanCursor::SpanCursor(const std::vector<MessagePart> &parts, char *const *blocks)
    : parts(&parts), blocks(blocks) {}

Span SpanCursor::interval() const {
  const MessagePart &here = part();
  Span span{blocks[here.array] + here.offset, 0};
  for (std::uint32_t level = 0; level < here.depth; ++level) {
    const auto &[runs, bytes] = here.levels[level];
    const RunHere run((*runs)[at[level].run], here.sending);
    const std::int64_t index = run.begin + at[level].repetition * run.stride + at[level].index;
    span.address += static_cast<std::uint64_t>(index) * bytes;
    span.bytes = static_cast<std::uint64_t>(run.length) * bytes; // of the innermost level at last
  }
  return span;
}

bool SpanCursor::nextIn(const std::vector<StridedRun> &runs, Position &position) const {
  if (++position.repetition < RunHere(runs[position.run], part().sending).count)
    return true;
  position.repetition = 0;
  if (++position.run < runs.size())
    return true;
  position.run = 0;
  return false;
}

void SpanCursor::advance() {
  taken = 0;
  const MessagePart &here = part();
  for (std::uint32_t level = here.depth; level-- > 0;) {
    const std::vector<StridedRun> &runs = *here.levels[level].runs;
    Position &position = at[level];
    if (level + 1 < here.depth) {
      if (++position.index < RunHere(runs[position.run], here.sending).length)
        return;
      position.index = 0;
    }
    if (nextIn(runs, position))
      return;
  }
  ++current;
}

Span SpanCursor::next(std::uint64_t limit) {
  Span span;
  while (span.bytes < limit && parts && current < parts->size()) {
    const Span whole = interval();
    char *const begin = whole.address + taken;
    if (span.bytes != 0 && begin != span.address + span.bytes)
      break;
    if (span.bytes == 0)
      span.address = begin;
    const std::uint64_t bytes = std::min(whole.bytes - taken, limit - span.bytes);
    span.bytes += bytes;
    taken += bytes;
    if (taken == whole.bytes)
      advance();
  }
  return span;
}

std::uint64_t copyAlong(SpanCursor &from, SpanCursor &to, std::uint64_t bytes) {
  std::uint64_t copied = 0;
  while (copied < bytes) {
    Span source = from.next(bytes - copied);
    if (source.bytes == 0)
      break;
    while (source.bytes != 0) {
      const Span target = to.next(source.bytes);
      std::memcpy(target.address, source.address, target.bytes);
      source.address += target.bytes;
      source.bytes -= target.bytes;
      copied += target.bytes;
    }
  }
  return copied;
}

void packFrom(SpanCursor &from, char *to, std::uint64_t bytes) {
  while (bytes != 0) {
    const Span span = from.next(bytes);
    std::memcpy(to, span.address, span.bytes);
    to += span.bytes;
    bytes -= span.bytes;
  }
}

void unpackTo(const char *from, SpanCursor &to, std::uint64_t bytes) {
  while (bytes != 0) {
    const Span span = to.next(bytes);
    std::memcpy(span.address, from, span.bytes);
    from += span.bytes;
    bytes -= span.bytes;
  }
}

} // namespace sendwright::redistribution
