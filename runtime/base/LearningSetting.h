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

/// What all ranks agree on in MPI_Init.
struct JobSettings {
  bool severalPrograms = false; ///< the ranks run more than one: nothing is learned
  bool disabled = false; ///< SENDWRIGHT_DISABLE is set on a rank: nothing is learned or recorded
  bool learns = false;   ///< SENDWRIGHT_ADAPT is set on all ranks
};

/// Finds them in one round of messages; prints a line on rank 0 if SENDWRIGHT_ADAPT or
/// SENDWRIGHT_DISABLE is set on some ranks of one program alone. `obstacle`: why this rank cannot
/// learn, or null; it must live until learning has begun. Collective; called once, before anything
/// is recorded.
JobSettings findJobSettings(MPI_Comm communicator, const char *obstacle);
/// JobSettings::learns; false before findJobSettings().
bool isToLearn();
/// If isToLearn(): why nothing is learned all the same; null if all ranks can.
const char *obstacleToLearning();

/// Whether what was learned is given up where it takes longer: unless SENDWRIGHT_ADAPT_MEASURE is
/// 0, as in tests, which gain nothing.
bool measuresWhatIsLearned();

/// Whether MPI carries all messages until some are worth sharing: unless SENDWRIGHT_ADAPT_WATCH is
/// 0, as in tests of short programs.
bool watchesFirst();

} // namespace sendwright

#endif
