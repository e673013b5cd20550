// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the ranks can follow their steps together: all members of a group take part in each
// of its synchronisations, each announcement is awaited once, and no ranks wait for one another in
// a circle, neither in synchronisations alone nor in these and the program's calls.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_STEPCONTRADICTIONS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_STEPCONTRADICTIONS_H

#include "analysis/epochs/steps/SynchronizationSteps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The most synchronisations, and the most calls and synchronisations, counted at each rank, that
/// are followed one by one. The numbers of synchronisations are compared in any case.
inline constexpr std::uint64_t mostStepsFollowed = 4'000'000;

/// The first contradiction in the steps of all ranks for one kind of synchronisation, if there is
/// one. Linear in the grammars, and in calls and synchronisations up to `followed`.
std::optional<std::string> contradictionInSteps(SynchronizationKind kind,
                                                const std::vector<RankSteps> &ranks,
                                                std::uint64_t followed = mostStepsFollowed);

} // namespace sendwright

#endif
