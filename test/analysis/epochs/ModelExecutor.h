// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of MPI with few buffers, to put an analysis to the test: ranks take steps in random
// order, a message lies in a buffer of its receiver from when it was sent until its receive is
// posted, and where no buffer is free its sender keeps it. A non-blocking send takes a buffer as
// soon as one is free, needed or not.

#ifndef SENDWRIGHT_TEST_ANALYSIS_EPOCHS_MODELEXECUTOR_H
#define SENDWRIGHT_TEST_ANALYSIS_EPOCHS_MODELEXECUTOR_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/epochs/steps/SynchronizationSteps.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

struct ModelExecution {
  bool ended = false;                   ///< false: deadlock
  std::vector<std::uint32_t> mostInUse; ///< per rank: buffers at once
  bool sentEarly = false; ///< to a rank that had not begun all that belongs before the super epoch
  bool senderWaited = false; ///< some blocking send found neither buffer nor receive
};

/// What holds a rank in a collective. MPI may do either, in one run and another.
enum class CollectiveWaits : std::uint8_t {
  ForData,      ///< what it is handed must have been given
  ForAllMembers ///< nobody leaves before all have come, or with requests: have begun
};

/// Executes the analysed run with `buffers` of each rank, and with the synchronisation of its super
/// epochs, or with none. Nothing coordinates the ranks: each waits by itself until those that it
/// synchronises with have done what belongs before. `seed` chooses the interleaving. Quadratic in
/// the ranks where they wait; for small runs.
ModelExecution executeModel(const EpochAnalysis &analysis,
                            const std::vector<std::uint32_t> &buffers,
                            std::optional<SynchronizationKind> synchronization, std::uint64_t seed,
                            CollectiveWaits waits = CollectiveWaits::ForAllMembers);

} // namespace sendwright

#endif
