// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What synchronisation keeps while the program runs. Exists where a plan asks for it.

#ifndef SENDWRIGHT_RUNTIME_SYNCHRONIZATION_STATE_H
#define SENDWRIGHT_RUNTIME_SYNCHRONIZATION_STATE_H

#include "analysis/epochs/StepFollower.h"
#include "runtime/recording/RecordedCommunicators.h"
#include "runtime/synchronization/Tokens.h"

#include <mpi.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace sendwright::synchronization {

struct State {
  State(RankSteps plan, MPI_Comm communicator);

  /// Waits for, and tells, all that it is due to. False where synchronisation was abandoned
  /// meanwhile.
  bool synchronizeDue();
  /// The program goes another way than the plan: nothing is synchronised from now on, here and at
  /// all ranks that would wait for this one. `reason` is for the line.
  void leave(const std::string &reason);
  /// The plan's index of a communicator, or -1.
  int communicatorIndex(MPI_Comm communicator);

  const RankSteps steps;
  StepFollower follower{steps};
  RecordedCommunicators communicators;
  Tokens tokens;
  std::unordered_map<MPI_Request, Step> persistent;
  std::unordered_map<MPI_Message, Step> probed; ///< the receive of a message that was probed
  bool active = true;

private:
  bool perform(const Step &due);

  std::vector<int> planIndex; // by index of `communicators`; -2: not looked up
};

/// Null where nothing is synchronised.
extern State *theState;

} // namespace sendwright::synchronization

#endif
