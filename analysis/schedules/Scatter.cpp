// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatter: the root has a block for every rank. In a tree, a message carries the blocks of the
// whole subtree of its receiver.

#include "analysis/schedules/CollectiveSteps.h"
#include "analysis/schedules/MessageTree.h"

namespace sendwright {

namespace {

void scatterAlong(ScheduleBuilder &builder, const std::vector<TreeEdge> &edges,
                  const CollectiveTask &task, bool pieces) {
  for (const TreeEdge &edge : edges)
    builder.pass(rankAt(task, edge.parent), rankAt(task, edge.child),
                 bytesOfBlocks(task, pieces, edge.child, edge.size),
                 [&] { return slotRange(edge.child, edge.size, task.ranks); });
}

Schedule linearScatterSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  std::vector<TreeEdge> edges;
  for (std::uint32_t child = 1; child < task.ranks; ++child)
    edges.push_back({0, child, 1});
  ScheduleBuilder builder(task.ranks, kept);
  scatterAlong(builder, edges, task, false);
  return builder.take();
}

double binomialScatterSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return doublingSeconds(link, static_cast<double>(task.bytes), task.ranks);
}

Schedule binomialScatterSchedule(const CollectiveTask &task, const LinkParameters &,
                                 SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildBinomialScatter(builder, task, false);
  return builder.take();
}

TreeSplits bestScatterTree(const CollectiveTask &task, const LinkParameters &link) {
  return optimalTree(link, task.ranks, static_cast<double>(task.bytes), TreeLoad::Subtree);
}

double optimalScatterSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return bestScatterTree(task, link).seconds;
}

Schedule optimalScatterSchedule(const CollectiveTask &task, const LinkParameters &link,
                                SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  scatterAlong(builder, treeEdges(bestScatterTree(task, link), task.ranks), task, false);
  return builder.take();
}

} // namespace

void buildBinomialScatter(ScheduleBuilder &builder, const CollectiveTask &task, bool pieces) {
  scatterAlong(builder, binomialEdges(task.ranks), task, pieces);
}

const CollectiveAlgorithm linearScatter = {"linear", "(P-2) h(n) + T(n)", fromRootSeconds,
                                           alwaysExact, linearScatterSchedule};

const CollectiveAlgorithm binomialScatter = {"binomial tree",         "sum over k<d of T(2^k n)",
                                             binomialScatterSeconds,  exactForPowers,
                                             binomialScatterSchedule, ScheduleShape::Tree};

const CollectiveAlgorithm optimalScatter = {
    "optimal tree",         "C(P) = min over s of max(T(sn)+C(s), h(sn)+C(P-s))",
    optimalScatterSeconds,  alwaysBound,
    optimalScatterSchedule, ScheduleShape::OptimalTree};

} // namespace sendwright
