// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a plan that need all ranks, because none may begin alone: shared messages, and
// collectives.

#ifndef SENDWRIGHT_RUNTIME_START_JOINTPLANS_H
#define SENDWRIGHT_RUNTIME_START_JOINTPLANS_H

#include "runtime/irregular/OwnCommunicator.h"
#include "runtime/sharing/learned/Adaptation.h"

#include <optional>

namespace sendwright {

/// What this rank needs in order to learn (SENDWRIGHT_ADAPT), made before all ranks agree to.
class LearningStart {
public:
  /// After PMPI_Init. `threadLevel` is the level that MPI provides.
  explicit LearningStart(int threadLevel);
  /// Why this rank cannot learn, or null.
  const char *obstacle() const;
  /// The ranks have agreed to try (isToLearn()).
  void begin();

private:
  std::optional<irregular::OwnCommunicator> own; ///< both only where learning is asked for
  std::optional<adaptation::OwnStart> exchanges;
};

/// After startRecording(): begins what all ranks can do, and prints a reason for what they cannot.
/// Collective. `threadLevel` is the level that MPI provides.
void startJointPlans(int threadLevel, LearningStart &learning);

} // namespace sendwright

#endif
