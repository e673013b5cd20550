// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barrier by dissemination (D. Hensgen, R. Finkel, U. Manber 1988): in round k every rank sends to
// the rank 2^k after it. A slot is what is known about one rank.

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

double disseminationSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, 0, doublings(task.ranks));
}

Schedule disseminationSchedule(const CollectiveTask &task, const LinkParameters &, SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  const std::uint32_t ranks = task.ranks;
  for (std::uint32_t known = 1; known < ranks && known != 0; known *= 2) {
    const std::uint32_t step = builder.messages();
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      builder.send(rank, (std::uint64_t{rank} + known) % ranks, 0,
                   [&] { return slotRange(rank + ranks + 1 - known, known, ranks); });
    builder.receiveFrom(step);
  }
  return builder.take();
}

} // namespace

const CollectiveAlgorithm disseminationBarrier = {"dissemination", "d T(0)", disseminationSeconds,
                                                  alwaysExact, disseminationSchedule};

} // namespace sendwright
