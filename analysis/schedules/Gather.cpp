// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather: the trees of scatter, from the leaves to the root. A node takes the messages of its
// children in the reverse order and then sends the data of its subtree.

#include "analysis/schedules/CollectiveSteps.h"
#include "analysis/schedules/MessageTree.h"

namespace sendwright {

namespace {

void gatherAlong(ScheduleBuilder &builder, const std::vector<TreeEdge> &edges,
                 const CollectiveTask &task, bool pieces) {
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge)
    builder.pass(rankAt(task, edge->child), rankAt(task, edge->parent),
                 bytesOfBlocks(task, pieces, edge->child, edge->size),
                 [&] { return slotRange(edge->child, edge->size, task.ranks); });
}

Schedule linearGatherSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (std::uint32_t rank = 0; rank < task.ranks; ++rank)
    if (rank != task.root)
      builder.pass(rank, task.root, task.bytes,
                   [&] { return slotRange(rank + task.ranks - task.root, 1, task.ranks); });
  return builder.take();
}

double binomialGatherSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return doublingSeconds(link, static_cast<double>(task.bytes), task.ranks);
}

Schedule binomialGatherSchedule(const CollectiveTask &task, const LinkParameters &,
                                SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildBinomialGather(builder, task, false);
  return builder.take();
}

TreeSplits bestGatherTree(const CollectiveTask &task, const LinkParameters &link) {
  return optimalGatherTree(link, task.ranks, static_cast<double>(task.bytes), TreeLoad::Subtree);
}

double optimalGatherSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return bestGatherTree(task, link).seconds;
}

Schedule optimalGatherSchedule(const CollectiveTask &task, const LinkParameters &link,
                               SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  gatherAlong(builder, treeEdges(bestGatherTree(task, link), task.ranks), task, false);
  return builder.take();
}

} // namespace

void buildBinomialGather(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces) {
  gatherAlong(builder, binomialEdges(task.ranks), task, pieces);
}

const CollectiveAlgorithm linearGather = {"linear", "(P-2) r(n) + T(n)", toRootSeconds, alwaysExact,
                                          linearGatherSchedule};

const CollectiveAlgorithm binomialGather = {"binomial tree",        "sum over k<d of T(2^k n)",
                                            binomialGatherSeconds,  exactForPowers,
                                            binomialGatherSchedule, ScheduleShape::Tree};

const CollectiveAlgorithm optimalGather = {
    "optimal tree",        "C(P) = min over s of max(T(sn)+C(s), r(sn)+C(P-s))",
    optimalGatherSeconds,  alwaysEstimate,
    optimalGatherSchedule, ScheduleShape::OptimalTree};

} // namespace sendwright
