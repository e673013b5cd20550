// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduce and reduce-scatter. A broadcast tree, used from the leaves to the root, combines what it
// carries. Its subtrees hold consecutive ranks, so with root 0 the order of the operands is kept.
// The ring combines each piece along a path of its own and needs a commutative operation.

#include "analysis/schedules/CollectiveSteps.h"
#include "analysis/schedules/MessageTree.h"

namespace sendwright {

namespace {

Schedule reduceAlong(const std::vector<TreeEdge> &edges, const CollectiveTask &task,
                     SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
    builder.pass(
        rankAt(task, edge->child), rankAt(task, edge->parent), task.bytes,
        [] { return slotRange(0, 1, 1); }, Arrival::CombineRight);
  return builder.take();
}

Schedule linearReduceSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (std::uint32_t rank = 0; rank < task.ranks; ++rank)
    if (rank != task.root)
      builder.pass(
          rank, task.root, task.bytes, [] { return slotRange(0, 1, 1); },
          rank < task.root ? Arrival::CombineLeft : Arrival::CombineRight);
  return builder.take();
}

double binomialReduceSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), doublings(task.ranks));
}

Schedule binomialReduceSchedule(const CollectiveTask &task, const LinkParameters &,
                                SlotsKept kept) {
  return reduceAlong(binomialEdges(task.ranks), task, kept);
}

TreeSplits bestReduceTree(const CollectiveTask &task, const LinkParameters &link) {
  return optimalGatherTree(link, task.ranks, static_cast<double>(task.bytes), TreeLoad::Same);
}

double optimalReduceSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return bestReduceTree(task, link).seconds;
}

Schedule optimalReduceSchedule(const CollectiveTask &task, const LinkParameters &link,
                               SlotsKept kept) {
  return reduceAlong(treeEdges(bestReduceTree(task, link), task.ranks), task, kept);
}

double ringGatherSeconds(const CollectiveTask &task, const LinkParameters &link) {
  const double piece = largestPiece(task.bytes, task.ranks);
  return chainSeconds(link, piece, task.ranks - 1.0) + doublingSeconds(link, piece, task.ranks);
}

Schedule ringGatherSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildRingReduceScatter(builder, task);
  buildBinomialGather(builder, task, true);
  return builder.take();
}

double ringReduceScatterSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, largestPiece(task.bytes, task.ranks), task.ranks - 1.0);
}

Schedule ringReduceScatterSchedule(const CollectiveTask &task, const LinkParameters &,
                                   SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildRingReduceScatter(builder, task);
  return builder.take();
}

} // namespace

void buildRingReduceScatter(ScheduleBuilder &builder, const CollectiveTask &task) {
  for (std::uint32_t round = 1; round < task.ranks; ++round) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t relative = 0; relative < task.ranks; ++relative) {
      const std::uint32_t piece = (relative + task.ranks - round) % task.ranks;
      builder.send(
          rankAt(task, relative), rankAt(task, relative + 1), bytesOfBlocks(task, true, piece, 1),
          [&] { return slotRange(piece, 1, task.ranks); }, Arrival::CombineLeft);
    }
    builder.receiveFrom(step);
  }
}

const CollectiveAlgorithm linearReduce = {"linear", "(P-2) r(n) + T(n)", toRootSeconds, alwaysExact,
                                          linearReduceSchedule};

const CollectiveAlgorithm binomialReduce = {"binomial tree",        "d T(n)",
                                            binomialReduceSeconds,  exactForPowers,
                                            binomialReduceSchedule, ScheduleShape::Tree};

const CollectiveAlgorithm optimalReduce = {
    "optimal tree",        "C(P) = min over s of max(T(n)+C(s), r(n)+C(P-s))",
    optimalReduceSeconds,  alwaysEstimate,
    optimalReduceSchedule, ScheduleShape::OptimalTree};

const CollectiveAlgorithm ringGatherReduce = {"ring reduce-scatter + gather",
                                              "(P-1) T(n/P) + sum over k<d of T(2^k n/P)",
                                              ringGatherSeconds, alwaysBound, ringGatherSchedule};

const CollectiveAlgorithm ringReduceScatter = {"ring", "(P-1) T(n/P)", ringReduceScatterSeconds,
                                               alwaysBound, ringReduceScatterSchedule};

} // namespace sendwright
