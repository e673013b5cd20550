// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARRUN_H
#define SENDWRIGHT_ANALYSIS_IRREGULAR_IRREGULARRUN_H

#include "analysis/transformation/RunBehaviour.h"

#include <memory>

namespace sendwright {

/// A simulated run in which irregular collectives of the plan are done by messages of their own,
/// and others as written; null if there are no such calls.
std::unique_ptr<RunBehaviour> irregularRun(const SimulatedPlan &run);
/// A simulated run as written, in which each block of neighbours, and of MPI_Gatherv and
/// MPI_Scatterv, is a message; null if the run has no such calls.
std::unique_ptr<RunBehaviour> irregularRunAsWritten(const Timeline &timeline);

} // namespace sendwright

#endif
