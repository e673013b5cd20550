// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcast. Short messages go along a tree; a long one is cut into pieces that are scattered and
// then gathered by all, so that every rank helps to carry it.

#include "analysis/cost/CollectiveSteps.h"
#include "analysis/cost/MessageTree.h"

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

Schedule linearBroadcast(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  std::vector<TreeEdge> edges;
  for (std::uint32_t child = 1; child < task.ranks; ++child)
    edges.push_back({0, child, 1});
  return broadcastAlong(edges, task, kept);
}

double binomialBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), doublings(task.ranks));
}

Schedule binomialBroadcast(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  return broadcastAlong(binomialEdges(task.ranks), task, kept);
}

TreeSplits bestBroadcastTree(const CollectiveTask &task, const LinkParameters &link) {
  return optimalTree(link, task.ranks, static_cast<double>(task.bytes), TreeLoad::Same);
}

double optimalBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return bestBroadcastTree(task, link).seconds;
}

Schedule optimalBroadcast(const CollectiveTask &task, const LinkParameters &link, SlotsKept kept) {
  return broadcastAlong(treeEdges(bestBroadcastTree(task, link), task.ranks), task, kept);
}

double scatterRingSeconds(const CollectiveTask &task, const LinkParameters &link) {
  const double piece = largestPiece(task.bytes, task.ranks);
  return doublingSeconds(link, piece, task.ranks) + chainSeconds(link, piece, task.ranks - 1.0);
}

Schedule scatterRing(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildBinomialScatter(builder, task, true);
  buildRingAllgather(builder, task, true);
  return builder.take();
}

double scatterDoublingSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return 2 * doublingSeconds(link, largestPiece(task.bytes, task.ranks), task.ranks);
}

Schedule scatterDoubling(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  buildBinomialScatter(builder, task, true);
  buildDoublingAllgather(builder, task, true);
  return builder.take();
}

} // namespace

std::vector<CollectiveAlgorithm> broadcastAlgorithms() {
  return {
      {"linear", "(P-2) h(n) + T(n)", fromRootSeconds, alwaysExact, linearBroadcast},
      {"binomial tree", "d T(n)", binomialBroadcastSeconds, exactForPowers, binomialBroadcast},
      {"optimal tree", "C(P) = min over s of max(T(n)+C(s), h(n)+C(P-s))", optimalBroadcastSeconds,
       alwaysExact, optimalBroadcast},
      {"scatter + ring allgather", "sum over k<d of T(2^k n/P) + (P-1) T(n/P)", scatterRingSeconds,
       alwaysBound, scatterRing},
      {"scatter + doubling allgather", "2 sum over k<d of T(2^k n/P)", scatterDoublingSeconds,
       boundForPowers, scatterDoubling},
  };
}

} // namespace sendwright
