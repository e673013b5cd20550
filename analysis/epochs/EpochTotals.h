// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The totals of an epoch analysis in memory for one part of the run instead of the whole run.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHTOTALS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_EPOCHTOTALS_H

#include "analysis/epochs/EpochAnalysis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// What EpochDetail::Totals keeps, found part by part (graph/RunParts.h): the same figures as for
/// the whole run at once. `buffers` as for analyzeEpochs(), but whether they suffice is not
/// checked. `events`: of all ranks in a part; 0 for as many as are analysed fast. Nothing if only
/// the whole run can be analysed: an error in it, receives whose message depends on other channels,
/// receives that were cancelled, or messages of complex epochs that last beyond their epoch. Linear
/// in the run, at most twice; about 30 bytes for each call of the largest part.
std::optional<EpochAnalysis> analyzeInParts(const Profile &profile, const TraceLocation &locate,
                                            std::vector<std::uint32_t> buffers,
                                            std::uint64_t events = 0);

} // namespace sendwright

#endif
