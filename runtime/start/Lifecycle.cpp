// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when MPI begins and ends, and the registration of units before. MPI_Init and
// MPI_Finalize have the only wrappers written by hand: they run even if nothing is intercepted.

#include "runtime/start/Lifecycle.h"

#include "runtime/base/Interception.h"
#include "runtime/base/Process.h"
#include "runtime/base/Units.h"
#include "runtime/batch/Batch.h"
#include "runtime/recording/Recorder.h"
#include "runtime/start/JointPlans.h"
#include "runtime/start/Transformations.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/Synchronization.h"
#include "runtime/verification/Verification.h"

#include <atomic>

namespace sendwright {

namespace {

enum class Phase { Before, Running, After };
std::atomic<Phase> phase{Phase::Before};

} // namespace

void beginLifecycle(bool byFortran) {
  int initialized = 0;
  if (PMPI_Initialized(&initialized) != MPI_SUCCESS || !initialized)
    return; // a failed start whose error handler returned
  Phase before = Phase::Before;
  if (!phase.compare_exchange_strong(before, Phase::Running))
    return;
  if (byFortran)
    noteStartByFortran();
  int threadLevel = MPI_THREAD_SINGLE;
  if (PMPI_Query_thread(&threadLevel) != MPI_SUCCESS)
    threadLevel = MPI_THREAD_MULTIPLE;
  startStrictBuffers(threadLevel);
  if (!registeredUnits())
    return;
  // Also where SENDWRIGHT_DISABLE is set: ranks on which it is not would wait for ever.
  LearningStart learning(threadLevel);
  startRecording(threadLevel, learning.obstacle());
  startBatches(threadLevel, runTransformations());
  startSynchronization(threadLevel);
  startJointPlans(threadLevel, learning);
  startVerification(threadLevel, runTransformations());
}

void endLifecycle() {
  Phase running = Phase::Running;
  if (!phase.compare_exchange_strong(running, Phase::After))
    return;
  endBatches(); // first, so that held sends leave while the other layers exist
  process.finish();
  endRecording();
}

void sessionEnds() {
  if (phase.load() != Phase::Before || disabled())
    return;
  bool generates = false, uses = false;
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next) {
    generates |= (unit->mode & SENDWRIGHT_UNIT_GENERATE) != 0;
    uses |= unit->plan != nullptr;
  }
  if (generates || uses)
    sayOnce("MPI began by MPI_Session_init alone, without MPI_Init, so %s",
            generates ? "no profile is recorded" : "the plan is not followed");
}

} // namespace sendwright

extern "C" {

void sendwright_register(sendwright_unit *unit) {
  if (unit->version != SENDWRIGHT_RUNTIME_VERSION) {
    // Only the version has the same place in every layout.
    sendwright::sayOnce(
        "an object file of this program was compiled for version %u of the runtime, but the "
        "runtime has version %u: the file is ignored; compile it again",
        unit->version, unsigned(SENDWRIGHT_RUNTIME_VERSION));
    return;
  }
  if (!sendwright::addUnit(unit))
    return;
  if (!sendwright::disabled())
    sendwright::callsReachRuntime(); // MPI_Init may never come here to report it
  if (sendwright::phase.load() == sendwright::Phase::Running && !sendwright::disabled()) {
    sendwright::startRecordingOf(unit);
    sendwright::startBatchesOf(unit, sendwright::runTransformations());
  }
}

__attribute__((visibility("default"))) int MPI_Init(int *argc, char ***argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS)
    sendwright::beginLifecycle();
  return result;
}

__attribute__((visibility("default"))) int MPI_Init_thread(int *argc, char ***argv, int required,
                                                           int *provided) {
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS)
    sendwright::beginLifecycle();
  return result;
}

__attribute__((visibility("default"))) int MPI_Finalize(void) {
  sendwright::endLifecycle();
  return PMPI_Finalize();
}

} // extern "C"
