// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's part in a collective, in the form that operations carry out: slots are numbered from 0
// among those that the rank ever holds, and peers are ranks of MPI_COMM_WORLD.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_LOCALSCHEDULE_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_LOCALSCHEDULE_H

#include "analysis/collectives/PlannedCollectives.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright::collectives {

struct LocalStep {
  bool isSend = false;
  Arrival arrival = Arrival::Store;
  int peer = 0;                     ///< in MPI_COMM_WORLD
  std::uint64_t bytes = 0;          ///< in the profile; the same at both ends
  std::vector<std::uint32_t> slots; ///< in their order in the message
};

/// The use of a slot at this rank: it passes through, it is this rank's block for another rank, or
/// it is another rank's block for this one.
enum class SlotUse : std::uint8_t { Transit, Own, Destined };

struct LocalSlot {
  std::uint32_t number = 0; ///< in the plan
  SlotUse use = SlotUse::Transit;
  int block = 0; ///< number of the program's block, unless in transit
};

struct LocalSchedule {
  std::vector<LocalStep> steps;
  std::vector<LocalSlot> slots;
  std::vector<std::uint32_t> receives; ///< indices of the steps that receive
};

/// The part of rank `rank` of the collective's communicator. Linear in the slots of its messages.
/// Throws std::bad_alloc.
LocalSchedule localSchedule(const PlannedCollective &collective, const RankCollective &part,
                            std::uint32_t rank);

} // namespace sendwright::collectives

#endif
