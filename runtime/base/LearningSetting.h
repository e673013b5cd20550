// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of SENDWRIGHT_ADAPT: whether a run learns its exchanges. It must be known before
// anything is recorded, because such a run records no profile.

#ifndef SENDWRIGHT_RUNTIME_BASE_LEARNINGSETTING_H
#define SENDWRIGHT_RUNTIME_BASE_LEARNINGSETTING_H

#include <mpi.h>

namespace sendwright {

/// The value of SENDWRIGHT_ADAPT at this rank; null if it is not set, empty or 0.
const char *learningSetting();

/// Whether it is set on all ranks; if only on some, rank 0 prints a line. Collective; called once,
/// before anything is recorded.
bool findWhetherToLearn(MPI_Comm communicator);
/// The result of findWhetherToLearn(); false before.
bool isToLearn();

/// Whether what was learned is given up where it takes longer: unless SENDWRIGHT_ADAPT_MEASURE is
/// 0, as in tests, which gain nothing.
bool measuresWhatIsLearned();

/// Whether MPI carries all messages until some are worth sharing: unless SENDWRIGHT_ADAPT_WATCH is
/// 0, as in tests of short programs.
bool watchesFirst();

} // namespace sendwright

#endif
