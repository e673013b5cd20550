// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's own collective functions: their names, and how long they were measured to take.

#ifndef SENDWRIGHT_ANALYSIS_CALIBRATION_MEASUREDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_CALIBRATION_MEASUREDCOLLECTIVES_H

#include "analysis/machine/Machine.h"
#include "analysis/mpi/Collective.h"

#include <optional>
#include <string_view>

namespace sendwright {

/// Of the operations that calibration measures, from Broadcast to Reduce, "MPI_Bcast", ...; "" of
/// others.
std::string_view libraryFunctionOf(Collective operation);

/// What the function takes on so many ranks, from when all begin until all are done, by the rows of
/// `measured_collectives`; nothing where no row has this operation and number of ranks. Between the
/// rows' sizes on straight lines, but where the larger size takes less time, which is how another
/// algorithm shows: there the line before goes on. Below the smallest as there; beyond the largest
/// the last line goes on, and without a second size nothing is known. O(n log n) for n rows.
std::optional<double> measuredSeconds(const Machine &machine, Collective operation,
                                      std::uint32_t ranks, double bytes);

} // namespace sendwright

#endif
