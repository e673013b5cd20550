// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which schedule a loop that is a collective operation goes, and what that is worth.
//
// The loop itself is the linear schedule, or with MPI_Sendrecv the pairwise one: its messages have
// no heads, and to take its place another one must be faster although its messages have them.

#ifndef SENDWRIGHT_ANALYSIS_COLLECTIVES_CHOSENSCHEDULE_H
#define SENDWRIGHT_ANALYSIS_COLLECTIVES_CHOSENSCHEDULE_H

#include "analysis/collectives/ConfirmedCollectives.h"
#include "analysis/collectives/PlannedCollectives.h"
#include "analysis/machine/Machine.h"

#include <vector>

namespace sendwright {

struct ChosenSchedule {
  PlannedCollective collective;      ///< its site is not used
  std::vector<RankCollective> parts; ///< by rank of the communicator; none where nothing is faster
                                     ///< than the loop; their number is not used
  CollectivePrediction prediction;
};

/// What is predicted to be fastest for an operation that was confirmed: MPI's own function, where
/// the machine file says how long it takes on that many ranks and all executions of the profile had
/// the same size, or a schedule. It has to win by a hundredth. Of the schedules it is, of those
/// whose formulas are near the best, the one that is simulated to be done first, by LogGP with all
/// ranks at once and as Schedule.h says. Costs what the schedules and their simulation cost; beyond
/// 1,024 ranks, where others have millions of messages, trees alone.
///
/// `replayed`: a replay of the run has the last word. Then a loop whose sends wait for their
/// receivers is taken to go over the others from the first to the last, and to receive so, which is
/// the longest that it may take.
ChosenSchedule chooseSchedule(const CollectiveFinding &finding, const Machine &machine,
                              bool replayed = false);

/// Puts it into a plan for that many ranks, for the plan's site `site`, which comes behind those of
/// the collectives that the plan has.
void addCollective(PlannedCollectives &plan, std::size_t ranks, std::uint32_t site,
                   const PlannedCollective &collective, const std::vector<RankCollective> &parts);

/// The schedule of the plan's collective `number`, without slots, from the parts of the ranks: the
/// k-th send of one to another is taken by its k-th receive. O(m log m) for m messages.
Schedule scheduleOf(const PlannedCollectives &plan, std::size_t number);

} // namespace sendwright

#endif
