// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allreduce as MPIs do it by a reduce and a broadcast along different trees, and by halving: ranks
// exchange ever smaller halves of a long message and combine them, and then gather the pieces in
// the reverse order (R. Rabenseifner, Optimization of Collective Reduction Operations, 2004). These
// are never best by the formulas for the sizes for which MPIs use them.

#include "analysis/schedules/CollectiveSteps.h"
#include "analysis/schedules/MessageTree.h"

namespace sendwright {

namespace {

std::vector<std::uint32_t> wholeMessage() { return slotRange(0, 1, 1); }

Schedule alongTrees(const std::vector<TreeEdge> &up, const std::vector<TreeEdge> &down,
                    const CollectiveTask &task, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (auto edge = up.rbegin(); edge != up.rend(); ++edge)
    builder.pass(edge->child, edge->parent, task.bytes, wholeMessage, Arrival::CombineRight);
  for (const TreeEdge &edge : down)
    builder.pass(edge.parent, edge.child, task.bytes, wholeMessage);
  return builder.take();
}

double reduceAlongBinomialSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), doublings(task.ranks));
}

double reduceBinarySeconds(const CollectiveTask &task, const LinkParameters &link) {
  return reduceAlongBinomialSeconds(task, link) + binaryBroadcastSeconds(task, link);
}

Schedule reduceBinarySchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  return alongTrees(binomialEdges(task.ranks), binaryEdges(task.ranks), task, kept);
}

double reduceFourNomialSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return reduceAlongBinomialSeconds(task, link) + fourNomialBroadcastSeconds(task, link);
}

Schedule reduceFourNomialSchedule(const CollectiveTask &task, const LinkParameters &,
                                  SlotsKept kept) {
  return alongTrees(binomialEdges(task.ranks), fourNomialEdges(task.ranks), task, kept);
}

/// Upwards a level takes two receives.
double reduceAlongBinarySeconds(const CollectiveTask &task, const LinkParameters &link) {
  const MessageCost cost = messageCost(link, static_cast<double>(task.bytes));
  return (std::bit_width(std::max(task.ranks, 1u)) - 1.0) * (cost.receiveInterval() + cost.step());
}

double binaryBinomialSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return reduceAlongBinarySeconds(task, link) +
         chainSeconds(link, static_cast<double>(task.bytes), doublings(task.ranks));
}

Schedule binaryBinomialSchedule(const CollectiveTask &task, const LinkParameters &,
                                SlotsKept kept) {
  return alongTrees(binaryEdges(task.ranks), binomialEdges(task.ranks), task, kept);
}

double binaryFourNomialSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return reduceAlongBinarySeconds(task, link) + fourNomialBroadcastSeconds(task, link);
}

Schedule binaryFourNomialSchedule(const CollectiveTask &task, const LinkParameters &,
                                  SlotsKept kept) {
  return alongTrees(binaryEdges(task.ranks), fourNomialEdges(task.ranks), task, kept);
}

// By halving. Ranks beyond a power of two take part through a neighbour, as in recursive doubling.

double halvingSeconds(const CollectiveTask &task, const LinkParameters &link) {
  if (task.ranks < 2)
    return 0;
  const std::uint32_t power = std::bit_floor(task.ranks);
  double seconds = 0;
  for (std::uint32_t parts = 2; parts <= power; parts *= 2)
    seconds += 2 * messageCost(link, largestPiece(task.bytes, parts)).step();
  const double beyond = messageCost(link, static_cast<double>(task.bytes)).step();
  return seconds + (power == task.ranks ? 0 : 2 * beyond);
}

/// Slots are pieces, one for each of the ranks that take part.
class HalvingSchedule {
public:
  HalvingSchedule(const CollectiveTask &task, SlotsKept kept)
      : task(task), power(std::bit_floor(task.ranks)), beyond(task.ranks - power),
        builder(task.ranks, kept) {}

  Schedule take() {
    for (std::uint32_t pair = 0; pair < beyond; ++pair)
      pass(2 * pair, 2 * pair + 1, 0, power, Arrival::CombineLeft);
    for (std::uint32_t half = power / 2; half > 0; half /= 2)
      exchange(half, true);
    for (std::uint32_t half = 1; half < power; half *= 2)
      exchange(half, false);
    for (std::uint32_t pair = 0; pair < beyond; ++pair)
      pass(2 * pair + 1, 2 * pair, 0, power, Arrival::Store);
    return builder.take();
  }

private:
  std::uint32_t participant(std::uint32_t index) const {
    return index < beyond ? 2 * index + 1 : index + beyond;
  }
  std::uint64_t bytesOf(std::uint32_t first, std::uint32_t count) const {
    return bytesOfPieces(task.bytes, first, count, power);
  }
  void pass(std::uint32_t from, std::uint32_t to, std::uint32_t first, std::uint32_t count,
            Arrival arrival) {
    builder.pass(
        from, to, bytesOf(first, count), [&] { return slotRange(first, count, power); }, arrival);
  }
  /// Partners are `half` apart. While they combine, each sends the half that is the other's;
  /// afterwards its own.
  void exchange(std::uint32_t half, bool combine) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t index = 0; index < power; ++index) {
      const std::uint32_t partner = index ^ half;
      const std::uint32_t first = (combine ? partner : index) / half * half;
      const Arrival arrival = !combine       ? Arrival::Store
                              : index & half ? Arrival::CombineRight
                                             : Arrival::CombineLeft;
      builder.send(
          participant(index), participant(partner), bytesOf(first, half),
          [&] { return slotRange(first, half, power); }, arrival);
    }
    builder.receiveFrom(step);
  }

  const CollectiveTask &task;
  std::uint32_t power, beyond;
  ScheduleBuilder builder;
};

Schedule halvingSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  return HalvingSchedule(task, kept).take();
}

} // namespace

const CollectiveAlgorithm reduceBinaryAllreduce = {
    "reduce + binary broadcast", "d T(n) + floor(log2 P) (h(n) + T(n))", reduceBinarySeconds,
    alwaysBound, reduceBinarySchedule};

const CollectiveAlgorithm reduceFourNomialAllreduce = {
    "reduce + 4-nomial broadcast", "d T(n) + ceil(d/2) (2 h(n) + T(n))", reduceFourNomialSeconds,
    alwaysBound, reduceFourNomialSchedule};

const CollectiveAlgorithm binaryBinomialAllreduce = {
    "binary reduce + broadcast", "floor(log2 P) (r(n) + T(n)) + d T(n)", binaryBinomialSeconds,
    alwaysBound, binaryBinomialSchedule};

const CollectiveAlgorithm binaryFourNomialAllreduce = {
    "binary reduce + 4-nomial broadcast", "floor(log2 P) (r(n) + T(n)) + ceil(d/2) (2 h(n) + T(n))",
    binaryFourNomialSeconds, alwaysBound, binaryFourNomialSchedule};

const CollectiveAlgorithm halvingAllreduce = {
    "halving + doubling", "2 sum over k=1..log2 P of T(n / 2^k), and 2 T(n) beyond a power of two",
    halvingSeconds, boundForPowers, halvingSchedule};

} // namespace sendwright
