// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule for a loop that is a collective operation, and what it gains.
//
// The loop as written is the linear schedule or, with MPI_Sendrecv, the pairwise schedule, and its
// messages have no heads. Another schedule must be faster although its messages have heads.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_CHOSENSCHEDULE_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_CHOSENSCHEDULE_H

#include "analysis/collectives/ConfirmedCollectives.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/machine/Machine.h"

#include <vector>

namespace sendwright {

struct ChosenSchedule {
  PlannedCollective collective;      ///< its site is not used
  std::vector<RankCollective> parts; ///< by rank of the communicator; empty if nothing is faster
                                     ///< than the loop; `collective` is not used
  CollectivePrediction prediction;
};

/// What is predicted to be fastest for a confirmed operation: a schedule, or MPI's own function.
/// MPI's function is considered if the machine file says how long it takes on that many ranks and
/// if all executions in the profile had the same size; it must win by a hundredth. Among the
/// schedules whose formulas are near the best, the simulation chooses the schedule that is done
/// first, by LogGP with all ranks starting at once, as Schedule.h says. Costs what the schedules
/// and their simulation cost; beyond 1,024 ranks only trees are considered, because other schedules
/// have millions of messages.
///
/// `replayed`: a replay of the run decides in the end. Then a loop whose sends wait for their
/// receivers is assumed to send to the others, and to receive from them, from the first to the
/// last, which is the slowest that it can be.
ChosenSchedule chooseSchedule(const CollectiveFinding &finding, const Machine &machine,
                              bool replayed = false);

/// Adds the collective to a plan for `ranks` ranks, at the plan's site `site`, which must come
/// after the sites of the collectives already in the plan.
void addCollective(PlannedCollectives &plan, std::size_t ranks, std::uint32_t site,
                   const PlannedCollective &collective, const std::vector<RankCollective> &parts);

/// The schedule of the plan's collective `number`, without slots, from the parts of the ranks: the
/// k-th receive takes the k-th send between the same two ranks. O(m log m) for m messages.
Schedule scheduleOf(const PlannedCollectives &plan, std::size_t number);

} // namespace sendwright

#endif
