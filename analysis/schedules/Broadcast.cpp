// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcast. Short messages go along a tree. A long message is cut into pieces, which are scattered
// and then gathered by all ranks, so that every rank helps to carry it.

#include "analysis/schedules/CollectiveSteps.h"
#include "analysis/schedules/MessageTree.h"

namespace sendwright {

namespace {

Schedule broadcastAlong(const std::vector<TreeEdge> &edges, const CollectiveTask &task,
                        SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (const TreeEdge &edge : edges)
    builder.pass(rankAt(task, edge.parent), rankAt(task, edge.child), task.bytes,
                 [] { return slotRange(0, 1, 1); });
  return builder.take();
}

Schedule linearBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                 SlotsKept kept) {
  std::vector<TreeEdge> edges;
  for (std::uint32_t child = 1; child < task.ranks; ++child)
    edges.push_back({0, child, 1});
  return broadcastAlong(edges, task, kept);
}

double binomialBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), doublings(task.ranks));
}

Schedule binomialBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                   SlotsKept kept) {
  return broadcastAlong(binomialEdges(task.ranks), task, kept);
}

TreeSplits bestBroadcastTree(const CollectiveTask &task, const LinkParameters &link) {
  return optimalTree(link, task.ranks, static_cast<double>(task.bytes), TreeLoad::Same);
}

double optimalBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return bestBroadcastTree(task, link).seconds;
}

Schedule optimalBroadcastSchedule(const CollectiveTask &task, const LinkParameters &link,
                                  SlotsKept kept) {
  return broadcastAlong(treeEdges(bestBroadcastTree(task, link), task.ranks), task, kept);
}

Schedule fourNomialBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                     SlotsKept kept) {
  return broadcastAlong(fourNomialEdges(task.ranks), task, kept);
}

Schedule binaryBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                 SlotsKept kept) {
  return broadcastAlong(binaryEdges(task.ranks), task, kept);
}

double scatterRingSeconds(const CollectiveTask &task, const LinkParameters &link) {
  const double piece = largestPiece(task.bytes, task.ranks);
  return doublingSeconds(link, piece, task.ranks) + chainSeconds(link, piece, task.ranks - 1.0);
}

Schedule scatterRingSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildBinomialScatter(builder, task, true);
  buildRingAllgather(builder, task, true);
  return builder.take();
}

double scatterDoublingSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return 2 * doublingSeconds(link, largestPiece(task.bytes, task.ranks), task.ranks);
}

Schedule scatterDoublingSchedule(const CollectiveTask &task, const LinkParameters &,
                                 SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildBinomialScatter(builder, task, true);
  buildDoublingAllgather(builder, task, true);
  return builder.take();
}

} // namespace

const CollectiveAlgorithm linearBroadcast = {"linear", "(P-2) h(n) + T(n)", fromRootSeconds,
                                             alwaysExact, linearBroadcastSchedule};

const CollectiveAlgorithm binomialBroadcast = {"binomial tree",           "d T(n)",
                                               binomialBroadcastSeconds,  exactForPowers,
                                               binomialBroadcastSchedule, ScheduleShape::Tree};

const CollectiveAlgorithm optimalBroadcast = {
    "optimal tree",           "C(P) = min over s of max(T(n)+C(s), h(n)+C(P-s))",
    optimalBroadcastSeconds,  alwaysExact,
    optimalBroadcastSchedule, ScheduleShape::OptimalTree};

const CollectiveAlgorithm scatterRingBroadcast = {
    "scatter + ring allgather", "sum over k<d of T(2^k n/P) + (P-1) T(n/P)", scatterRingSeconds,
    alwaysBound, scatterRingSchedule};

const CollectiveAlgorithm scatterDoublingBroadcast = {
    "scatter + doubling allgather", "2 sum over k<d of T(2^k n/P)", scatterDoublingSeconds,
    boundForPowers, scatterDoublingSchedule};

const CollectiveAlgorithm fourNomialBroadcast = {
    "4-nomial tree", "ceil(d/2) (2 h(n) + T(n))", fourNomialBroadcastSeconds,
    alwaysBound,     fourNomialBroadcastSchedule, ScheduleShape::Tree};

const CollectiveAlgorithm binaryBroadcast = {"binary tree",           "floor(log2 P) (h(n) + T(n))",
                                             binaryBroadcastSeconds,  alwaysBound,
                                             binaryBroadcastSchedule, ScheduleShape::Tree};

} // namespace sendwright
