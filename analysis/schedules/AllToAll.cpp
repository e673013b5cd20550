// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-to-all: every rank has a block for every other rank. Linear: all sends at once, rotated so
// that no two ranks begin with the same receiver. Ring: blocks travel from neighbour to neighbour.
// Pairwise: in phase b rank r exchanges blocks with r xor b or, if P is not a power of two, sends
// to r + b. Bruck's: in phase k all blocks whose remaining distance has bit k move on by 2^k.

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

std::uint32_t slotOf(std::uint32_t from, std::uint32_t to, std::uint32_t ranks) {
  return from * ranks + to;
}

/// The rank `distance` after `rank`, in a circle of `ranks`.
std::uint32_t ahead(std::uint32_t rank, std::uint32_t distance, std::uint32_t ranks) {
  return static_cast<std::uint32_t>((std::uint64_t{rank} + distance) % ranks);
}

double linearSeconds(const CollectiveTask &task, const LinkParameters &link) {
  if (task.ranks < 2)
    return 0;
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  const double others = task.ranks - 1.0;
  // A rank turns to its receives once it has handed over its last send; messages come at the
  // interval at which they are sent.
  const double firstIn = cost.send + cost.stream + cost.latency;
  const double lastIn = firstIn + (others - 1) * cost.sendInterval();
  return std::max(std::max(others * cost.send, firstIn) + others * cost.receive,
                  lastIn + cost.receive);
}

Schedule linearSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t ranks = task.ranks;
  for (std::uint32_t distance = 1; distance < ranks; ++distance)
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t to = ahead(rank, distance, ranks);
      builder.send(rank, to, task.bytes,
                   [&] { return std::vector<std::uint32_t>{slotOf(rank, to, ranks)}; });
    }
  builder.receiveFrom(0);
  return builder.take();
}

double ringAllToAllSeconds(const CollectiveTask &task, const LinkParameters &link) {
  double seconds = 0;
  for (std::uint32_t left = task.ranks; left-- > 1;)
    seconds += messageCost(link, static_cast<double>(task.bytes) * left).delivery();
  return seconds;
}

Schedule ringAllToAllSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t ranks = task.ranks;
  for (std::uint32_t round = 1; round < ranks; ++round) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t owner = ahead(rank, ranks - (round - 1), ranks);
      builder.send(rank, ahead(rank, 1, ranks), task.bytes * (ranks - round), [&] {
        std::vector<std::uint32_t> slots; // the owner's blocks for the ranks from the next one on
        for (std::uint32_t distance = round; distance < ranks; ++distance)
          slots.push_back(slotOf(owner, ahead(owner, distance, ranks), ranks));
        return slots;
      });
    }
    builder.receiveFrom(step);
  }
  return builder.take();
}

double pairwiseSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), task.ranks - 1.0);
}

Schedule pairwiseSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t ranks = task.ranks;
  for (std::uint32_t phase = 1; phase < ranks; ++phase) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t to =
          std::has_single_bit(ranks) ? rank ^ phase : ahead(rank, phase, ranks);
      builder.send(rank, to, task.bytes,
                   [&] { return std::vector<std::uint32_t>{slotOf(rank, to, ranks)}; });
    }
    builder.receiveFrom(step);
  }
  return builder.take();
}

/// How many distances below `ranks` have this bit.
std::uint32_t distancesWith(std::uint32_t bit, std::uint32_t ranks) {
  const std::uint32_t whole = ranks / (2 * bit) * bit, rest = ranks % (2 * bit);
  return whole + (rest > bit ? rest - bit : 0);
}

double bruckSeconds(const CollectiveTask &task, const LinkParameters &link) {
  double seconds = 0;
  for (std::uint32_t bit = 1; bit < task.ranks && bit != 0; bit *= 2)
    seconds += messageCost(link, static_cast<double>(task.bytes) * distancesWith(bit, task.ranks))
                   .delivery();
  return seconds;
}

Schedule bruckSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t ranks = task.ranks;
  for (std::uint32_t bit = 1; bit < ranks && bit != 0; bit *= 2) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      builder.send(rank, ahead(rank, bit, ranks), task.bytes * distancesWith(bit, ranks), [&] {
        std::vector<std::uint32_t> slots;
        for (std::uint32_t distance = bit; distance < ranks; ++distance)
          if (distance & bit) {
            // The block has come as far as the lower bits of its distance.
            const std::uint32_t from = ahead(rank, ranks - (distance & (bit - 1)), ranks);
            slots.push_back(slotOf(from, ahead(from, distance, ranks), ranks));
          }
        return slots;
      });
    builder.receiveFrom(step);
  }
  return builder.take();
}

} // namespace

const CollectiveAlgorithm linearAllToAll = {
    "linear", "max(max((P-1) o_send, T(n)-o_recv) + (P-1) o_recv, (P-2) h(n) + T(n))",
    linearSeconds, alwaysExact, linearSchedule};

const CollectiveAlgorithm ringAllToAll = {"ring", "sum over k=1..P-1 of T((P-k) n)",
                                          ringAllToAllSeconds, alwaysExact, ringAllToAllSchedule};

const CollectiveAlgorithm pairwiseAllToAll = {"pairwise", "(P-1) T(n)", pairwiseSeconds,
                                              alwaysExact, pairwiseSchedule};

const CollectiveAlgorithm bruckAllToAll = {
    "Bruck", "sum over k<d of T(n times the distances below P with bit k)", bruckSeconds,
    alwaysExact, bruckSchedule};

} // namespace sendwright
