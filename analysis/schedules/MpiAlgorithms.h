// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithm of a collective call of MPI: the algorithm that the machine file names, otherwise
// the fastest by the formulas. MPI chooses by tables of its own, which no formula knows.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_MPIALGORITHMS_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_MPIALGORITHMS_H

#include "analysis/schedules/Collectives.h"

#include <string>
#include <vector>

namespace sendwright {

/// The names that a machine file may use: nameOf() of each collective operation, and "alltoallv",
/// which also redistributes arrays without the runtime's schedule.
std::vector<std::string> mpiOperationNames();
/// The names of the algorithms for `operation`; empty if it is unknown. There are more than in
/// algorithmsOf(): MPI also uses some that are never best by the formulas. The first name is
/// "fastest": the fastest by the formulas, which is the default.
std::vector<std::string> mpiAlgorithmNames(const std::string &operation);

/// The row of the machine file that applies: among the rows with at most `ranks` ranks and `bytes`
/// bytes, the row with the most ranks, then the most bytes. Null if there is no such row.
const AlgorithmRow *mpiRow(const Machine &machine, const std::string &operation,
                           std::uint32_t ranks, std::uint64_t bytes);

/// The algorithm of a call.
const CollectiveAlgorithm &mpiAlgorithm(const Machine &machine, Collective operation,
                                        const CollectiveTask &task, const LinkParameters &link);

/// Whether a rank's sends, if they wait for their receivers, follow one another in MPI's own
/// algorithms for the operation, as along trees. Otherwise they are under way at once, as in
/// schedules.
bool sendsInTurn(Collective operation);

/// Whether MPI_Alltoallv exchanges data with one partner after another instead of all at once.
bool exchangesPairwise(const Machine &machine, std::uint32_t ranks);
/// That algorithm, for blocks of one size.
const CollectiveAlgorithm &mpiPairwiseAllToAll();

} // namespace sendwright

#endif
