// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which algorithm a collective call of MPI goes: the one that the machine file names, where it
// does, else the one that the formulas find fastest. MPI chooses by tables of its own, which no
// formula knows.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_MPIALGORITHMS_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_MPIALGORITHMS_H

#include "analysis/schedules/Collectives.h"

#include <string>
#include <vector>

namespace sendwright {

/// What a machine file may name: nameOf() of each collective operation, and "alltoallv", by which
/// arrays are redistributed without the runtime's schedule.
std::vector<std::string> mpiOperationNames();
/// The algorithms for it; empty for an unknown operation. More than algorithmsOf(): MPI also takes
/// some that are never best by the formulas. The first is "fastest": what the formulas find, as
/// where nothing is named.
std::vector<std::string> mpiAlgorithmNames(const std::string &operation);

/// The row of the machine file: of those for at most so many ranks the one for most, and among
/// these of those for at most so many bytes the one for most. Null where there is none.
const AlgorithmRow *mpiRow(const Machine &machine, const std::string &operation,
                           std::uint32_t ranks, std::uint64_t bytes);

/// The algorithm of a call.
const CollectiveAlgorithm &mpiAlgorithm(const Machine &machine, Collective operation,
                                        const CollectiveTask &task, const LinkParameters &link);

/// Whether a rank's sends, where they wait for their receivers, follow one another in MPI's own
/// algorithms for it: so it is along trees. Else they are under way at once, as in schedules.
bool sendsInTurn(Collective operation);

/// Whether MPI_Alltoallv exchanges with one partner after the other, instead of all at once.
bool exchangesPairwise(const Machine &machine, std::uint32_t ranks);

} // namespace sendwright

#endif
