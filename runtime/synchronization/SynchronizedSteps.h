// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What synchronisation keeps while the program runs. Exists only if a plan asks for
// synchronisation.

#ifndef SENDWRIGHT_RUNTIME_SYNCHRONIZATION_SYNCHRONIZEDSTEPS_H
#define SENDWRIGHT_RUNTIME_SYNCHRONIZATION_SYNCHRONIZEDSTEPS_H

#include "analysis/epochs/steps/StepFollower.h"
#include "runtime/base/HandleTable.h"
#include "runtime/base/Process.h"
#include "runtime/base/RecordedCommunicators.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/AnySourceReceives.h"
#include "runtime/synchronization/MeetingTokens.h"

#include <mpi.h>

#include <string>
#include <vector>

namespace sendwright::synchronization {

/// Looks after receives from any source whenever the program is in MPI.
struct PendingReceivesListener final : strict::ProgressListener {
  void afterProgress() override { watch(); }
};

struct SynchronizedSteps final : Layer {
  static constexpr LayerPlace place = LayerPlace::Synchronization;

  explicit SynchronizedSteps(RankSteps plan);
  /// Synchronises the last groups, and finishes what is under way.
  void finish() override;

  /// Does all waiting and telling that is due. False if synchronisation was abandoned meanwhile.
  bool synchronizeDue();
  /// The program deviates from the plan: nothing is synchronised from now on, on this rank and on
  /// all ranks that would wait for it. `reason` is for the printed line.
  void leave(const std::string &reason);
  /// The same because of a call that no profile records, on this rank or another: `call` names it.
  void leaveUnrecorded(const std::string &call);
  /// A receive from any source took a message of `source`; in the profile it took one of
  /// `expected`, or of noPeer. World ranks.
  void took(int source, int expected);
  /// The plan's index of a communicator, or -1.
  int communicatorIndex(MPI_Comm communicator);

  const RankSteps steps;
  StepFollower follower{steps};
  RecordedCommunicators communicators;
  MeetingTokens tokens;
  struct Persistent {
    Step step;            ///< that a start makes
    int communicator = 0; ///< index into `communicators`
  };
  HandleTable<RequestHandle, Persistent> persistent;
  struct Probed {
    Step receive;
    int source = 0; ///< world rank
  };
  HandleTable<MessageHandle, Probed> probed; ///< messages still to be received
  std::vector<PendingReceive> pending;       ///< receives from any source
  bool active = true;
  bool hasBuffered = false; ///< a message may be in the buffer that the program attached
  PendingReceivesListener ofStrictBuffers;

private:
  void stop(bool unrecorded);
  bool perform(const Step &due);

  std::vector<int> planIndex; // by index of `communicators`; -2: not looked up yet
};

/// Null if nothing is synchronised.
inline SynchronizedSteps *synchronizedSteps() { return process.find<SynchronizedSteps>(); }

} // namespace sendwright::synchronization

#endif
