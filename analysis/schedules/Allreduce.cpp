// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allreduce: a reduce and a broadcast; or everyone combines with everyone by doubling, where ranks
// beyond a power of two first hand their data to a neighbour and get the result from it; or, for
// long messages, a reduce-scatter and an allgather along a ring.

#include "analysis/schedules/CollectiveSteps.h"
#include "analysis/schedules/MessageTree.h"

namespace sendwright {

namespace {

std::vector<std::uint32_t> whole() { return slotRange(0, 1, 1); }

double reduceBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), 2.0 * doublings(task.ranks));
}

Schedule reduceBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                 SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::vector<TreeEdge> edges = binomialEdges(task.ranks);
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
    builder.pass(edge->child, edge->parent, task.bytes, whole, Arrival::CombineRight);
  for (const TreeEdge &edge : edges)
    builder.pass(edge.parent, edge.child, task.bytes, whole);
  return builder.take();
}

double doublingAllreduceSeconds(const CollectiveTask &task, const LinkParameters &link) {
  if (task.ranks < 2)
    return 0;
  const double steps = std::bit_width(task.ranks) - 1.0 + (std::has_single_bit(task.ranks) ? 0 : 2);
  return chainSeconds(link, static_cast<double>(task.bytes), steps);
}

Schedule doublingAllreduceSchedule(const CollectiveTask &task, const LinkParameters &,
                                   SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t power = std::bit_floor(task.ranks), beyond = task.ranks - power;
  // The first 2 * beyond ranks form pairs, and the odd rank of each pair takes part for both.
  auto participant = [&](std::uint32_t index) {
    return index < beyond ? 2 * index + 1 : index + beyond;
  };
  auto evenOf = [](std::uint32_t pair) { return std::size_t{2} * pair; };
  for (std::uint32_t pair = 0; pair < beyond; ++pair)
    builder.pass(evenOf(pair), evenOf(pair) + 1, task.bytes, whole, Arrival::CombineLeft);
  for (std::uint32_t bit = 1; bit < power; bit *= 2) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t index = 0; index < power; ++index)
      builder.send(participant(index), participant(index ^ bit), task.bytes, whole,
                   index & bit ? Arrival::CombineRight : Arrival::CombineLeft);
    builder.receiveFrom(step);
  }
  for (std::uint32_t pair = 0; pair < beyond; ++pair)
    builder.pass(evenOf(pair) + 1, evenOf(pair), task.bytes, whole);
  return builder.take();
}

double ringAllreduceSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, largestPiece(task.bytes, task.ranks), 2 * (task.ranks - 1.0));
}

Schedule ringAllreduceSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildRingReduceScatter(builder, task);
  buildRingAllgather(builder, task, true);
  return builder.take();
}

} // namespace

const CollectiveAlgorithm reduceBroadcastAllreduce = {"reduce + broadcast", "2 d T(n)",
                                                      reduceBroadcastSeconds, exactForPowers,
                                                      reduceBroadcastSchedule};

const CollectiveAlgorithm doublingAllreduce = {
    "recursive doubling", "(floor(log2 P), plus 2 where P is not a power of two) T(n)",
    doublingAllreduceSeconds, exactForPowers, doublingAllreduceSchedule};

const CollectiveAlgorithm ringAllreduce = {"ring reduce-scatter + allgather", "2 (P-1) T(n/P)",
                                           ringAllreduceSeconds, alwaysBound,
                                           ringAllreduceSchedule};

} // namespace sendwright
