// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/SpanCursor.h"

#include <algorithm>
#include <cstring>

namespace sendwright::redistribution {

namespace {

const std::vector<StridedRun> oneIndex{{0, 0, 1, 1, 0, 0}};

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

std::int64_t indicesIn(const std::vector<StridedRun> &runs) {
  std::int64_t indices = 0;
  for (const StridedRun &run : runs)
    indices += run.length * run.count;
  return indices;
}

} // namespace

std::uint64_t MessagePart::bytes() const {
  return static_cast<std::uint64_t>(indicesIn(*outer)) *
         static_cast<std::uint64_t>(indicesIn(*inner)) * innerBytes;
}

std::uint64_t MessagePart::spans() const {
  std::uint64_t intervals = 0;
  for (const StridedRun &run : *inner)
    intervals += static_cast<std::uint64_t>(RunHere(run, sending).count);
  return intervals * static_cast<std::uint64_t>(indicesIn(*outer));
}

MessagePart makePart(std::uint32_t array, bool sending, const RankMessages &messages,
                     const RankMessages::Entry &entry, std::int64_t columns,
                     std::uint64_t elementSize) {
  MessagePart part{array, sending, &oneIndex, nullptr, 0, elementSize};
  const std::size_t last = entry.shares.size() - 1;
  part.inner = &messages.runs(entry, last);
  if (last == 0)
    return part;
  part.outer = &messages.runs(entry, 0);
  part.outerBytes = static_cast<std::uint64_t>(columns) * elementSize;
  const bool wholeRows = part.inner->size() == 1 &&
                         RunHere(part.inner->front(), sending).count == 1 &&
                         RunHere(part.inner->front(), sending).length == columns;
  if (wholeRows) {
    part.inner = part.outer;
    part.innerBytes = part.outerBytes;
    part.outer = &oneIndex;
  }
  return part;
}

SpanCursor::SpanCursor(const std::vector<MessagePart> &parts, char *const *blocks)
    : parts(&parts), blocks(blocks) {}

Span SpanCursor::interval() const {
  const MessagePart &here = part();
  const RunHere row((*here.outer)[outerRun], here.sending);
  const RunHere run((*here.inner)[innerRun], here.sending);
  const std::int64_t rowAt = row.begin + outerRepetition * row.stride + outerIndex;
  const std::int64_t at = run.begin + innerRepetition * run.stride;
  return {blocks[here.array] + static_cast<std::uint64_t>(rowAt) * here.outerBytes +
              static_cast<std::uint64_t>(at) * here.innerBytes,
          static_cast<std::uint64_t>(run.length) * here.innerBytes};
}

bool SpanCursor::nextIn(const std::vector<StridedRun> &runs, std::size_t &run,
                        std::int64_t &repetition) {
  if (++repetition < RunHere(runs[run], part().sending).count)
    return true;
  repetition = 0;
  if (++run < runs.size())
    return true;
  run = 0;
  return false;
}

void SpanCursor::advance() {
  taken = 0;
  if (nextIn(*part().inner, innerRun, innerRepetition))
    return;
  if (++outerIndex < RunHere((*part().outer)[outerRun], part().sending).length)
    return;
  outerIndex = 0;
  if (!nextIn(*part().outer, outerRun, outerRepetition))
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
