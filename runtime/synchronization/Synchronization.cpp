// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When synchronisation begins and ends: whether a plan asks for it, whether all ranks have the same
// plan, and what is printed when synchronisation is given up.

#include "runtime/synchronization/Synchronization.h"

#include "analysis/epochs/steps/SynchronizationInPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "analysis/plan/Plan.h"
#include "runtime/base/Interception.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"
#include "runtime/batch/Flush.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/State.h"

#include <memory>
#include <new>
#include <string>

namespace sendwright::synchronization {

State *theState = nullptr;

State::State(RankSteps plan) : steps(std::move(plan)), tokens(steps.groups, steps.listeners) {}

bool State::perform(const Step &due) {
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

bool State::synchronizeDue() {
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
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    sayOnce("this run communicates otherwise than its profile (%s): it goes on without "
            "synchronisation, and may need more message buffers than planned",
            reason.c_str());
}

} // namespace

void State::leave(const std::string &reason) {
  stop(false);
  sayThatRunLeft(reason);
}

void State::leaveUnrecorded(const std::string &call) {
  stop(true);
  sayThatRunLeft(call + " that no profile records");
}

void State::stop(bool unrecorded) {
  active = false;
  sendwright_interception &= ~interceptSynchronization;
  tokens.abandon(unrecorded);
}

void State::took(int source, int expected) {
  if (expected != noPeer && source != expected)
    leave("a receive from any source takes a message of rank " + std::to_string(source) +
          " where the profile has one of rank " + std::to_string(expected));
}

int State::communicatorIndex(MPI_Comm communicator) {
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

namespace {

std::optional<std::string> contradictionInSteps(const void *plan, std::size_t size,
                                                const std::string &name, int ranks) {
  return contradictionIn("synchronization", plan, size, name, ranks);
}

/// The program's first plan that asks for synchronisation; other plans hold the same.
const sendwright_unit *unitWithPlan() {
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    if (unit->mode == SENDWRIGHT_UNIT_USE && unit->plan)
      return unit;
  return nullptr;
}

/// What this rank keeps while it runs, or null where its part of the plan cannot be had: damaged,
/// or there is no memory for it.
std::unique_ptr<State> stateFor(const sendwright_unit &unit) {
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    RankSteps steps = decodeRankSteps(unit.plan, unit.plan_size, unit.file, ranks, rank);
    return std::make_unique<State>(std::move(steps));
  } catch (const FormatError &) {
    return nullptr;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

} // namespace

} // namespace sendwright::synchronization

namespace sendwright {

void startSynchronization(int threadLevel) {
  using namespace synchronization;
  const sendwright_unit *unit = unitWithPlan();
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!unit || !callsReachRuntime() || !synchronizesRun(unit->plan, unit->plan_size, ranks))
    return; // all ranks do so, unless they run different programs
  const char *reason = jobObstacle();
  std::unique_ptr<State> state;
  std::string contradiction;
  if (!reason) { // the others wait for this rank's answer, whatever became of its part of the plan
    state = stateFor(*unit);
    const char *own = state ? nullptr : "a rank cannot read its part of the plan";
    if (!own)
      own = obstacleOfPlan(*unit, contradictionInSteps, contradiction);
    if (threadLevel > MPI_THREAD_FUNNELED)
      own = "this run may call MPI from several threads";
    reason = disagreement(XXH64(unit->plan, unit->plan_size, 0), own);
  }
  if (!reason && !state->tokens.begin())
    reason = "MPI gives no communicator";
  if (reason) {
    sayOnce("%s: nothing is synchronised", reason);
    return;
  }
  theState = state.release(); // for good: MPI may be called until exit
  strict::afterProgress = watch;
  sendwright_interception |= interceptSynchronization;
}

void endSynchronization() {
  using namespace synchronization;
  if (!theState)
    return;
  const strict::CallFrom call("MPI_Finalize", ""); // in reports of deadlocks
  if (theState->active && theState->synchronizeDue() && !theState->follower.atEnd())
    theState->leave("it ends before the profile did");
  sendwright_interception &= ~interceptSynchronization;
  const bool left = !theState->active;
  theState->active = false;
  if (theState->tokens.finish(left) && !left) // rank 0 may have waited for none of those who did
    sayThatRunLeft("another rank does");
}

} // namespace sendwright

extern "C" void sendwright_synchronize(sendwright_site *) {
  if (sendwright_interception & sendwright::interceptSynchronization)
    sendwright::synchronization::boundary();
}
