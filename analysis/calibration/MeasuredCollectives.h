// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's own collective functions: their names, and their measured times.

#ifndef SENDWRIGHT_ANALYSIS_CALIBRATION_MEASUREDCOLLECTIVES_H
#define SENDWRIGHT_ANALYSIS_CALIBRATION_MEASUREDCOLLECTIVES_H

#include "analysis/machine/Machine.h"
#include "analysis/mpi/Collective.h"

#include <optional>
#include <string_view>

namespace sendwright {

/// "MPI_Bcast", ... for the operations that calibration measures, Broadcast to Reduce; "" for
/// others.
std::string_view libraryFunctionOf(Collective operation);

/// Seconds that the function takes on `ranks` ranks, from when all begin until all are done, by the
/// rows of `measured_collectives`; nothing if no row has this operation and number of ranks.
/// Interpolates linearly between the rows' sizes. If the larger of two sizes takes less time,
/// another algorithm begins between them: then the line below is continued. Sizes below the
/// smallest take its time; beyond the largest the last line is continued, and with only one size
/// nothing is known. O(n log n) for n rows.
std::optional<double> measuredSeconds(const Machine &machine, Collective operation,
                                      std::uint32_t ranks, double bytes);

} // namespace sendwright

#endif
