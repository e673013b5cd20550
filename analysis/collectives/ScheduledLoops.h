// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a run that a plan replaces by collective operations: which messages are no longer
// sent as written, and where each rank follows a schedule instead.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_SCHEDULEDLOOPS_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_SCHEDULEDLOOPS_H

#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/machine/Machine.h"
#include "analysis/run/Timeline.h"
#include "analysis/schedules/Schedule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sendwright {

class ScheduledLoops {
public:
  /// One execution of one operation; its number is unique among all operations.
  struct Instance {
    std::uint32_t collective = 0;  ///< index into PlannedCollectives::collectives
    double scale = 1;              ///< its bytes divided by the plan's, without heads
    std::optional<double> seconds; ///< of MPI's own function if the plan calls it and it was
                                   ///< measured; its schedule then has one message for each rank
  };

  /// `plan` may be null: nothing is scheduled. `planned` maps sites of the profile to sites of the
  /// plan. If the plan calls MPI's function, `machine` says how long it takes; if the machine does
  /// not know, the schedule is that of the fastest algorithm. Linear in the timeline and the
  /// messages of the schedules.
  ScheduledLoops(const Timeline &timeline, const Machine &machine, const PlannedCollectives *plan,
                 const std::map<int, std::uint32_t> &planned);

  static constexpr std::uint32_t none = UINT32_MAX;

  /// The instance that the rank enters at this position, or `none`. O(log n).
  std::uint32_t entered(std::size_t rank, std::size_t position) const;
  /// True for a message of the timeline that belongs to an instance.
  bool replaces(std::uint32_t message) const {
    return message < replaced.size() && replaced[message];
  }
  const Instance &instance(std::uint32_t number) const { return instances[number]; }
  const std::vector<int> &members(std::uint32_t number) const {
    return plan->collectives[instances[number].collective].communicator.members;
  }
  std::shared_ptr<const Schedule> scheduleOf(std::uint32_t number) const {
    return schedules[instances[number].collective];
  }

private:
  const PlannedCollectives *plan;
  std::vector<Instance> instances;
  std::vector<std::shared_ptr<const Schedule>> schedules;      // by collective
  std::vector<std::map<std::uint32_t, std::uint32_t>> entries; // by rank: instance at position
  std::vector<char> replaced;                                  // by message
};

} // namespace sendwright

#endif
