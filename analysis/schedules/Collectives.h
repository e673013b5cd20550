// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collective operations of MPI and algorithms for them: the cost of each algorithm under LogGP,
// and the schedule that each rank follows. Any number of ranks.
//
// Formulas use n for the bytes of a message, P for the number of ranks, d = ceil(log2 P), and T(n)
// = o_send + (n - 1) G + L + o_recv, h(n) = max(o_send, g + (n - 1) G) between two sends, and r(n)
// = max(o_recv, g + (n - 1) G) between two receives of a rank; n O is added to each overhead. In
// chains of steps a gap that is longer than T(n) replaces T(n). Computing to combine data and
// copying cost nothing here.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_COLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_COLLECTIVES_H

#include "analysis/machine/Machine.h"
#include "analysis/mpi/Collective.h"
#include "analysis/schedules/Schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// One operation. `bytes` is the size of the whole message for Broadcast, Reduce, ReduceScatter
/// (before it is scattered), Allreduce and Scan; for the others it is the block of one rank (for
/// AllToAll, of one pair of ranks). Pieces of a message that does not divide evenly differ by one
/// byte.
struct CollectiveTask {
  std::uint32_t ranks = 1;
  std::uint64_t bytes = 0;
  std::uint32_t root = 0; ///< if there is a root
};

/// How the schedule's time in the model compares with the formula.
enum class FormulaKind : std::uint8_t {
  Exact,   ///< equal
  Bound,   ///< equal or less
  Estimate ///< about equal: messages can meet at a port in another order than the formula assumes
};

/// What a choice among algorithms asks about a schedule beyond its time.
enum class ScheduleShape : std::uint8_t {
  Any,
  Tree,        ///< a tree from or to the root, which suits any number of ranks
  OptimalTree, ///< a tree whose branches depend on the link
};

/// An algorithm for one operation. CollectiveAlgorithms.def lists all of them
/// (docs/adding-a-collective-algorithm.md).
struct CollectiveAlgorithm {
  std::string_view name;
  std::string_view formula; ///< in symbols
  /// The formula evaluated, seconds.
  double (*seconds)(const CollectiveTask &task, const LinkParameters &link);
  /// For this number of ranks, if no gap of a port is longer than T(n).
  FormulaKind (*kind)(std::uint32_t ranks);
  /// `link` matters if the shape of the schedule depends on it.
  Schedule (*schedule)(const CollectiveTask &task, const LinkParameters &link, SlotsKept kept);
  ScheduleShape shape = ScheduleShape::Any;
};

/// The algorithms for an operation, simplest first. Never empty.
const std::vector<CollectiveAlgorithm> &algorithmsOf(Collective operation);

/// Algorithms that MPI uses for an operation beyond algorithmsOf(): no choice offers them.
const std::vector<CollectiveAlgorithm> &furtherAlgorithmsOf(Collective operation);

/// The algorithm with the smallest value of its formula; the first in case of ties.
const CollectiveAlgorithm &bestAlgorithm(Collective operation, const CollectiveTask &task,
                                         const LinkParameters &link);

} // namespace sendwright

#endif
