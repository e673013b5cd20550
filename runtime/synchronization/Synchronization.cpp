// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When synchronisation begins and ends: whether a plan asks for it, whether all ranks have the
// same, and what is said when it is given up.

#include "runtime/synchronization/Synchronization.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "analysis/plan/Plan.h"
#include "runtime/interception/Interception.h"
#include "runtime/interception/Job.h"
#include "runtime/interception/Lifecycle.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/State.h"

#include <cstdio>
#include <new>
#include <string>

namespace sendwright::synchronization {

State *theState = nullptr;

State::State(RankSteps plan, MPI_Comm communicator)
    : steps(std::move(plan)), tokens(communicator, steps.groups, steps.listeners) {}

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
      leave("another rank does");
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
  active = false;
  sendwright_interception &= ~interceptSynchronization;
  tokens.abandon();
  sayThatRunLeft(reason);
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

/// The first plan of the program that asks for synchronisation; others hold the same.
const sendwright_unit *unitWithPlan() {
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    if (unit->mode == SENDWRIGHT_UNIT_USE && unit->plan)
      return unit;
  return nullptr;
}

std::optional<RankSteps> stepsOf(const sendwright_unit &unit) {
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    return decodeRankPlan(unit.plan, unit.plan_size, unit.file, ranks, rank).synchronization;
  } catch (const FormatError &) { // which the batches report
    return std::nullopt;
  }
}

/// Why not all ranks can do what the plan asks, or null where they can. Collective: one reduction.
const char *disagreement(const sendwright_unit &unit, bool able) {
  const unsigned long long digest = able ? XXH64(unit.plan, unit.plan_size, 0) : 0;
  unsigned long long own[3] = {digest, ~digest, !isOtherProgram()}, least[3] = {0, 0, 0};
  PMPI_Allreduce(own, least, 3, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  if (!least[2])
    return jobOfSeveralPrograms;
  return able && least[0] == digest && least[1] == ~digest ? nullptr
                                                           : "the ranks have different plans";
}

} // namespace

} // namespace sendwright::synchronization

namespace sendwright {

using namespace synchronization;

void startSynchronization(int threadLevel) {
  const sendwright_unit *unit = unitWithPlan();
  if (!unit || !callsReachRuntime())
    return;
  std::optional<RankSteps> steps = stepsOf(*unit);
  if (!steps) // so on all ranks, unless they run different programs
    return;
  const char *reason = jobObstacle();
  if (!reason && threadLevel > MPI_THREAD_FUNNELED)
    reason = "this run may call MPI from several threads";
  if (!reason)
    reason = disagreement(*unit, true);
  MPI_Comm communicator = MPI_COMM_NULL;
  if (!reason && PMPI_Comm_dup(MPI_COMM_WORLD, &communicator) != MPI_SUCCESS)
    reason = "MPI gives no communicator";
  if (reason) {
    sayOnce("%s: nothing is synchronised", reason);
    return;
  }
  PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  theState = new State(std::move(*steps), communicator); // for good: MPI may be called until exit
  sendwright_interception |= interceptSynchronization;
}

void endSynchronization() {
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
