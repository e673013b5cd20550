// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/synchronization/SynchronizedSteps.h"

#include "runtime/base/Interception.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/strict/StrictBuffers.h"

#include <utility>

namespace sendwright::synchronization {

SynchronizedSteps::SynchronizedSteps(RankSteps plan)
    : steps(std::move(plan)), tokens(steps.groups, steps.listeners) {}

bool SynchronizedSteps::perform(const Step &due) {
  switch (due.kind) {
  case StepKind::Synchronize:
    return tokens.waitFor(steps.groups[due.group]);
  case StepKind::Announce:
    tokens.announce(steps.listeners[due.group]);
    return true;
  case StepKind::Await:
    return tokens.waitForAnnouncement(due.peer);
  default:
    return true;
  }
}

bool SynchronizedSteps::synchronizeDue() {
  while (const Step *due = follower.due()) {
    flushBatches();
    if (!perform(*due)) {
      tokens.heardOfUnrecorded() ? leaveUnrecorded("another rank makes a call")
                                 : leave("another rank does");
      return false;
    }
    follower.synchronized();
  }
  return true;
}

namespace {

void sayThatRunLeft(const std::string &reason) {
  const int rank = rankIn(MPI_COMM_WORLD);
  if (rank == 0)
    sayOnce("this run communicates differently from its profile (%s): it continues without "
            "synchronisation, and may need more message buffers than planned",
            reason.c_str());
}

} // namespace

void SynchronizedSteps::leave(const std::string &reason) {
  stop(false);
  sayThatRunLeft(reason);
}

void SynchronizedSteps::leaveUnrecorded(const std::string &call) {
  stop(true);
  sayThatRunLeft(call + " that no profile records");
}

void SynchronizedSteps::stop(bool unrecorded) {
  active = false;
  sendwright_interception &= ~interceptSynchronization;
  tokens.abandon(unrecorded);
}

void SynchronizedSteps::took(int source, int expected) {
  if (expected != noPeer && source != expected)
    leave("a receive from any source takes a message of rank " + std::to_string(source) +
          " where the profile has a message of rank " + std::to_string(expected));
}

int SynchronizedSteps::communicatorIndex(MPI_Comm communicator) {
  const auto index = static_cast<std::size_t>(communicators.index(communicator));
  if (index >= planIndex.size())
    planIndex.resize(index + 1, -2);
  int &known = planIndex[index];
  if (known == -2) {
    known = -1;
    for (std::size_t candidate = 0; candidate < steps.communicators.size(); ++candidate)
      if (steps.communicators[candidate] == communicators.communicators()[index])
        known = static_cast<int>(candidate);
  }
  return known;
}

void SynchronizedSteps::finish() {
  const strict::CallFrom call("MPI_Finalize", ""); // in reports of deadlocks
  if (active && synchronizeDue() && !follower.atEnd())
    leave("it ends before the profile does");
  sendwright_interception &= ~interceptSynchronization;
  const bool left = !active;
  active = false;
  if (tokens.finish(left) && !left) // rank 0 may have waited for none of the ranks that left
    sayThatRunLeft("another rank does");
}

} // namespace sendwright::synchronization
