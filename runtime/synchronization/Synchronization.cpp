// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When synchronisation begins and ends: whether a plan asks for it, whether all ranks have the same
// plan, and what is printed when synchronisation is given up.

#include "runtime/synchronization/Synchronization.h"

#include "analysis/epochs/steps/SynchronizationInPlan.h"
#include "analysis/file/FormatError.h"
#include "analysis/plan/Plan.h"
#include "runtime/base/Interception.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/Units.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/batch/Flush.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/SynchronizedSteps.h"

#include <memory>
#include <new>
#include <string>

namespace sendwright::synchronization {

namespace {

std::optional<std::string> contradictionInSteps(const void *plan, std::size_t size,
                                                const std::string &name, int ranks) {
  return contradictionIn("synchronization", plan, size, name, ranks);
}

/// What this rank keeps while it runs; null if its part of the plan is damaged or there is no
/// memory.
std::unique_ptr<SynchronizedSteps> stepsFor(const sendwright_unit &unit) {
  const int rank = rankIn(MPI_COMM_WORLD), ranks = ranksIn(MPI_COMM_WORLD);
  try {
    return std::make_unique<SynchronizedSteps>(
        decodeRankSteps(unit.plan, unit.plan_size, unit.file, ranks, rank));
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
  const sendwright_unit *unit = firstUnitWithPlan(); // other plans hold the same steps
  const int ranks = ranksIn(MPI_COMM_WORLD);
  if (!unit || !callsReachRuntime() || !synchronizesRun(unit->plan, unit->plan_size, ranks))
    return; // all ranks do so, unless they run different programs
  const char *reason = jobObstacle();
  std::unique_ptr<SynchronizedSteps> steps;
  std::string contradiction;
  if (!reason) { // other ranks wait for this rank's answer, even if its part of the plan is
                 // unusable
    steps = disabled() ? nullptr : stepsFor(*unit);
    const char *own = disabled() ? disabledHere
                      : steps    ? nullptr
                                 : "a rank cannot read its part of the plan";
    if (!own)
      own = obstacleOfPlan(*unit, contradictionInSteps, contradiction);
    if (threadLevel > MPI_THREAD_FUNNELED)
      own = "this run may call MPI from several threads";
    reason = disagreement(agreementDigest(*unit), own);
  }
  if (!reason && !steps->tokens.begin(*privateCommunicator()))
    reason = "MPI has too few tags";
  if (reason) {
    sayGivenUp(reason, "nothing is synchronised");
    return;
  }
  process.use<strict::ProgressListener>(process.begin(std::move(steps)).ofStrictBuffers);
  sendwright_interception |= interceptSynchronization;
}

} // namespace sendwright

extern "C" void sendwright_synchronize(sendwright_site *) {
  if (sendwright_interception & sendwright::interceptSynchronization)
    sendwright::synchronization::boundary();
}
