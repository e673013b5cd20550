// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of MPI with few buffers, which tests an analysis. Ranks take steps in random order. A
// message lies in a buffer of its receiver from its send until its receive is posted; if no buffer
// is free, its sender keeps it. A non-blocking send takes a buffer as soon as one is free, whether
// needed or not.

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

/// What holds a rank in a collective. MPI may do either, and may differ from run to run.
enum class CollectiveWaits : std::uint8_t {
  ForData,      ///< what it is handed must have been given
  ForAllMembers ///< nobody leaves before all have come, or with requests: have begun
};

/// Executes the analysed run with `buffers` at each rank, with or without the synchronisation of
/// its super epochs. Nothing coordinates the ranks: each waits by itself until the ranks that it
/// synchronises with have done what belongs before. `seed` chooses the interleaving. Quadratic in
/// the waiting ranks; for small runs.
ModelExecution executeModel(const EpochAnalysis &analysis,
                            const std::vector<std::uint32_t> &buffers,
                            std::optional<SynchronizationKind> synchronization, std::uint64_t seed,
                            CollectiveWaits waits = CollectiveWaits::ForAllMembers);

} // namespace sendwright

#endif
