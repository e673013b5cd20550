// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each port is busy in one redistribution on a machine: under the runtime's schedule, under
// MPI_Alltoallv, and in steps. For drawings.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_SIMULATEDPORTS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_SIMULATEDPORTS_H

#include "analysis/machine/Machine.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/RedistributionMethod.h"
#include "analysis/redistribution/StepSchedule.h"

#include <cstdint>
#include <vector>

namespace sendwright {

/// A message, or some consecutive chunks of it, passes a port: that of its sender, or that of its
/// receiver.
struct PortUse {
  std::uint32_t message = 0; ///< an index into the list of messages
  bool isReceive = false;
  double begin = 0, end = 0; ///< seconds since the redistribution began
};

struct SimulatedPorts {
  double seconds = 0; ///< until the last rank has everything
  std::vector<PortUse> uses;
};

/// What is moved: `messages` between `ranks` ranks, which are the first ranks of the machine.
struct MovedElements {
  const std::vector<Message> &messages; ///< no two with the same source and destination
  int ranks = 0;
  std::uint64_t bytesOfElement = 8;
};

/// As a simulated run moves them (Redistributions.h), in `orders` where the runtime's schedule
/// moves them. All ranks begin at the same time; making a communicator is left out. As
/// Redistributions in time and memory.
SimulatedPorts simulatePorts(const MovedElements &moved, const PortOrders &orders,
                             const Machine &machine, RedistributionMethod method);

/// In steps: a step begins on all ranks when all messages of the step before it have come, without
/// the time that ranks would need to find this out. O(m log m) for m messages.
SimulatedPorts simulatePorts(const MovedElements &moved, const StepSchedule &schedule,
                             const Machine &machine);

} // namespace sendwright

#endif
