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

/// Like a binomial tree, with three children in each level: a node with p nodes to serve, itself
/// included, gives 4^k nodes to each of up to three children, with the largest 4^k < p, then goes
/// on with 4^(k-1), and so on.
std::vector<TreeEdge> fourNomialEdges(std::uint32_t ranks) {
  std::vector<TreeEdge> edges;
  std::uint32_t stride = 1;
  while (stride < ranks && stride <= UINT32_MAX / 4)
    stride *= 4;
  for (stride /= 4; stride > 0; stride /= 4)
    for (std::uint32_t parent = 0; parent < ranks; parent += 4 * stride)
      for (std::uint32_t child = 1; child < 4 && parent + child * stride < ranks; ++child)
        edges.push_back(
            {parent, parent + child * stride, std::min(stride, ranks - parent - child * stride)});
  return edges;
}

Schedule fourNomialBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                     SlotsKept kept) {
  return broadcastAlong(fourNomialEdges(task.ranks), task, kept);
}

/// A level takes three sends; the last arrives T(n) after it leaves.
double fourNomialSeconds(const CollectiveTask &task, const LinkParameters &link) {
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  const std::uint32_t levels = (doublings(task.ranks) + 1) / 2;
  return levels * (2 * cost.sendInterval() + cost.step());
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
    "4-nomial tree", "ceil(d/2) (2 h(n) + T(n))", fourNomialSeconds,
    alwaysBound,     fourNomialBroadcastSchedule, ScheduleShape::Tree};

} // namespace sendwright
