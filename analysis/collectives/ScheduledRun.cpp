// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated run with collectives of the plan: ranks go through a schedule where they come to a
// loop.

#include "analysis/collectives/ScheduledRun.h"

#include "analysis/collectives/ScheduledLoops.h"
#include "analysis/machine/Machine.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace sendwright {

namespace {

/// MPI's own functions get communicators of their own. Those of different ranks are made at the
/// same time.
double secondsOfLibraryCommunicators(const SimulatedPlan &run) {
  std::map<int, double> seconds; // by rank
  double most = 0;
  for (const PlannedCollective &collective : run.plan.of<PlannedCollectives>().collectives)
    if (const std::vector<int> &members = collective.communicator.members;
        callsLibrary(collective)) {
      const double one =
          duplicationSeconds(run.machine, static_cast<std::uint32_t>(members.size()));
      for (const int rank : members)
        most = std::max(most, seconds[rank] += one);
    }
  return most;
}

class ScheduledRun final : public RunBehaviour {
public:
  explicit ScheduledRun(const SimulatedPlan &run)
      : loops(run.timeline, run.machine, &run.plan.of<PlannedCollectives>(), run.planned),
        librarySeconds(secondsOfLibraryCommunicators(run)) {}

  bool startsTogether() const override { return true; }
  double startSeconds() const override { return librarySeconds; }

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
  double librarySeconds;
};

} // namespace

std::unique_ptr<RunBehaviour> scheduledRun(const SimulatedPlan &run) {
  if (run.plan.of<PlannedCollectives>().collectives.empty())
    return nullptr;
  return std::make_unique<ScheduledRun>(run);
}

} // namespace sendwright
