// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allgather: every rank has a block and gets all blocks. In the ring a rank passes on the block
// that it got last. By doubling a rank passes on all its blocks: to the rank that differs in one
// bit if P is a power of two, and otherwise to the rank 2^k before it (J. Bruck et al. 1997), which
// works for any P.

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

double ringSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), task.ranks - 1.0);
}

Schedule ringSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildRingAllgather(builder, task, false);
  return builder.take();
}

double doublingAllgatherSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return doublingSeconds(link, static_cast<double>(task.bytes), task.ranks);
}

Schedule doublingSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildDoublingAllgather(builder, task, false);
  return builder.take();
}

/// Pairs of ranks that differ in one bit swap all their blocks.
void exchangeBits(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces) {
  for (std::uint32_t bit = 1; bit < task.ranks; bit *= 2) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t relative = 0; relative < task.ranks; ++relative) {
      const std::uint32_t first = relative & ~(bit - 1);
      builder.send(rankAt(task, relative), rankAt(task, relative ^ bit),
                   bytesOfBlocks(task, pieces, first, bit),
                   [&] { return slotRange(first, bit, task.ranks); });
    }
    builder.receiveFrom(step);
  }
}

/// Rank r has the blocks from r on, and passes them to rank r - held until every rank has all.
void passBackwards(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces) {
  for (std::uint32_t held = 1; held < task.ranks && held != 0; held *= 2) {
    const std::uint32_t step = builder.messages();
    const std::uint32_t count = std::min(held, task.ranks - held);
    for (std::uint32_t relative = 0; relative < task.ranks; ++relative)
      builder.send(rankAt(task, relative), rankAt(task, relative + task.ranks - held),
                   bytesOfBlocks(task, pieces, relative, count),
                   [&] { return slotRange(relative, count, task.ranks); });
    builder.receiveFrom(step);
  }
}

} // namespace

void buildRingAllgather(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces) {
  for (std::uint32_t round = 0; round + 1 < task.ranks; ++round) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t relative = 0; relative < task.ranks; ++relative) {
      const std::uint32_t block = (relative + task.ranks - round) % task.ranks;
      builder.send(rankAt(task, relative), rankAt(task, relative + 1),
                   bytesOfBlocks(task, pieces, block, 1),
                   [&] { return slotRange(block, 1, task.ranks); });
    }
    builder.receiveFrom(step);
  }
}

void buildDoublingAllgather(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces) {
  std::has_single_bit(task.ranks) ? exchangeBits(builder, task, pieces)
                                  : passBackwards(builder, task, pieces);
}

const CollectiveAlgorithm ringAllgather = {"ring", "(P-1) T(n)", ringSeconds, alwaysExact,
                                           ringSchedule};

const CollectiveAlgorithm doublingAllgather = {
    "recursive doubling", "sum over k<d of T(min(2^k, P-2^k) n)", doublingAllgatherSeconds,
    alwaysExact, doublingSchedule};

} // namespace sendwright
