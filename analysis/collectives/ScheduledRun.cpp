// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated run with collectives of the plan: ranks go through a schedule where they come to a
// loop.

#include "analysis/collectives/ScheduledRun.h"

#include "analysis/collectives/ScheduledLoops.h"

namespace sendwright {

namespace {

class ScheduledRun final : public RunBehaviour {
public:
  explicit ScheduledRun(const SimulatedPlan &run)
      : loops(run.timeline, run.machine, &run.plan.of<PlannedCollectives>(), run.planned) {}

  bool startsTogether() const override { return true; }

  std::optional<ScheduledLoop> entered(std::uint32_t rank, std::size_t position) const override {
    const std::uint32_t number = loops.entered(rank, position);
    if (number == ScheduledLoops::none)
      return {};
    const ScheduledLoops::Instance &instance = loops.instance(number);
    return ScheduledLoop{number,         loops.scheduleOf(number), &loops.members(number),
                         instance.scale, collectiveMessageHead,    instance.seconds};
  }
  bool replaces(std::uint32_t message) const override { return loops.replaces(message); }

private:
  ScheduledLoops loops;
};

} // namespace

std::unique_ptr<RunBehaviour> scheduledRun(const SimulatedPlan &run) {
  if (run.plan.of<PlannedCollectives>().collectives.empty())
    return nullptr;
  return std::make_unique<ScheduledRun>(run);
}

} // namespace sendwright
