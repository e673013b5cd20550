// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations of a simulated run, between the first rank that enters one and the last
// rank that leaves it: MPI's own functions, and loops that a schedule replaces. Only
// RunSimulation.cpp uses this.

#ifndef SENDWRIGHT_ANALYSIS_REPLAY_SIMULATEDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_REPLAY_SIMULATEDCOLLECTIVES_H

#include "analysis/machine/Machine.h"
#include "analysis/machine/MessageSimulation.h"
#include "analysis/replay/RankRun.h"
#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/transformation/RunBehaviour.h"

#include <cstdint>
#include <functional>
#include <unordered_map>

namespace sendwright {

class SimulatedCollectives {
public:
  /// Whether members meet before a call: the communicator's number, and the call's index on it.
  using MeetsBefore = std::function<bool(std::uint32_t communicator, std::uint32_t call)>;

  /// All must outlive it.
  SimulatedCollectives(const Machine &machine, CollectiveCalls &calls,
                       MessageSimulation &simulation)
      : machine(machine), calls(calls), simulation(simulation) {}

  /// The rank comes to a call of MPI.
  void enter(std::uint32_t rank, RankRun &run, const Event &event, const MeetsBefore &meets);
  /// The rank comes to a loop that a schedule replaces. `group`: see loopGroup.
  void enterLoop(std::uint32_t rank, RankRun &run, const ScheduledLoop &loop, std::uint32_t group);
  /// Performs the rank's operations up to the next receive, for which it waits; or to the end.
  void goThrough(std::uint32_t rank, RankRun &run);

  /// The position of the call that sent (or received late) a message that the rank waits for in
  /// its collective operation.
  std::uint32_t causePosition(const RankRun &run, std::uint32_t message, bool lateReceiver) const;
  /// Messages sent so far.
  std::uint64_t sent() const { return count; }

private:
  void enterOpen(std::uint32_t rank, RankRun &run, OpenCollective &open);
  void goThroughMeasured(RankRun &run, OpenCollective &open, double seconds);
  void leave(RankRun &run, OpenCollective &open);

  const Machine &machine;
  CollectiveCalls &calls;
  MessageSimulation &simulation;
  std::unordered_map<std::uint64_t, OpenCollective> open; ///< by group and call
  std::uint64_t count = 0;
};

} // namespace sendwright

#endif
