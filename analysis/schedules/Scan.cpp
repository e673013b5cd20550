// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scan: rank i gets the combination of ranks 0 .. i. Along a chain; by doubling, where each rank
// combines its value with that of the rank 2^k before it; or on binomial trees, first up and then
// down (R. Brent, H. Kung 1982), with fewer messages.

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

std::vector<std::uint32_t> wholeScan() { return slotRange(0, 1, 1); }

double chainScanSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), task.ranks - 1.0);
}

Schedule chainScanSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (std::uint32_t rank = 1; rank < task.ranks; ++rank)
    builder.pass(rank - 1, rank, task.bytes, wholeScan, Arrival::CombineLeft);
  return builder.take();
}

double doublingScanSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), doublings(task.ranks));
}

Schedule doublingScanSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (std::uint32_t distance = 1; distance < task.ranks && distance != 0; distance *= 2) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t rank = 0; rank + distance < task.ranks; ++rank)
      builder.send(rank, rank + distance, task.bytes, wholeScan, Arrival::CombineLeft);
    builder.receiveFrom(step);
  }
  return builder.take();
}

double treeScanSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), 2.0 * doublings(task.ranks) - 1);
}

Schedule treeScanSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t largest = std::bit_floor(task.ranks);
  for (std::uint32_t distance = 1; distance < largest; distance *= 2)
    for (std::uint32_t end = 2 * distance; end <= task.ranks; end += 2 * distance)
      builder.pass(end - 1 - distance, end - 1, task.bytes, wholeScan, Arrival::CombineLeft);
  for (std::uint32_t distance = largest; distance > 0; distance /= 2)
    for (std::uint64_t end = std::uint64_t{3} * distance; end <= task.ranks;
         end += std::uint64_t{2} * distance)
      builder.pass(end - 1 - distance, end - 1, task.bytes, wholeScan, Arrival::CombineLeft);
  return builder.take();
}

} // namespace

const CollectiveAlgorithm chainScan = {"chain", "(P-1) T(n)", chainScanSeconds, alwaysExact,
                                       chainScanSchedule};

const CollectiveAlgorithm doublingScan = {"recursive doubling", "d T(n)", doublingScanSeconds,
                                          alwaysEstimate, doublingScanSchedule};

const CollectiveAlgorithm treeScan = {"binomial trees", "(2d-1) T(n)", treeScanSeconds, alwaysBound,
                                      treeScanSchedule};

} // namespace sendwright
