// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest collective algorithm, as docs/adding-a-collective-algorithm.md shows it: each rank
// of a broadcast passes the message on to the next rank. Only tests are built with it; a tree is
// never slower.

#include "analysis/schedules/CollectiveSteps.h"

namespace sendwright {

namespace {

double chainBroadcastSeconds(const CollectiveTask &task, const LinkParameters &link) {
  return chainSeconds(link, static_cast<double>(task.bytes), task.ranks - 1.0);
}

Schedule chainBroadcastSchedule(const CollectiveTask &task, const LinkParameters &,
                                SlotsKept kept) {
  ScheduleBuilder builder(task.ranks, kept);
  for (std::uint32_t relative = 1; relative < task.ranks; ++relative)
    builder.pass(rankAt(task, relative - 1), rankAt(task, relative), task.bytes,
                 [] { return slotRange(0, 1, 1); });
  return builder.take();
}

} // namespace

const CollectiveAlgorithm chainBroadcast = {"chain", "(P-1) T(n)", chainBroadcastSeconds,
                                            alwaysExact, chainBroadcastSchedule};

} // namespace sendwright
