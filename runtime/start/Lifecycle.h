// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the runtime do when MPI begins and ends. Called by the wrappers of MPI_Init,
// MPI_Init_thread and MPI_Finalize (C and Fortran), in the order of this file.

#ifndef SENDWRIGHT_RUNTIME_START_LIFECYCLE_H
#define SENDWRIGHT_RUNTIME_START_LIFECYCLE_H

#include "runtime/include/sendwright/runtime.h"

#include <mpi.h>

namespace sendwright {

/// The registered units, a list through `next`; null where no unit was registered.
sendwright_unit *registeredUnits();

/// True when SENDWRIGHT_DISABLE is set to something other than "" and "0": nothing is captured or
/// recorded.
bool disabled();

/// False when the program's MPI calls go to another library that comes first at run time, which one
/// line says then: nothing can be captured, because a call that should flush would not be seen.
/// Thread-safe, looked up once.
bool callsReachRuntime();

/// The whole of what follows PMPI_Init and precedes PMPI_Finalize; each happens once.
void beginLifecycle(bool byFortran = false);
void endLifecycle();
/// Whether the program called MPI_Init from Fortran.
bool startedByFortran();

// After PMPI_Init: `threadLevel` is what MPI provides.
void startStrictBuffers(int threadLevel); // strict/: if SENDWRIGHT_BUFFERS is set
void startRecording(int threadLevel); // recording/: sets interceptRecording if a unit asks for it
void startBatches(int threadLevel);   // batch/: reads the embedded plans
void startSynchronization(int threadLevel); // synchronization/: if the plan asks for it
void startJointPlans(int threadLevel);      // exchange/, collectives/: if the plan asks for them

// Before PMPI_Finalize.
void endBatches();         // batch/: issues what is held, frees what is left
void endCollectives();     // collectives/: waits until what they sent has left
void endExchanges();       // exchange/: passes on what others need until all are here
void endSynchronization(); // synchronization/: the last groups, and what is under way
void endStrictBuffers();   // strict/: waits until all ranks are here, serving them
void endRedistribution();  // redistribution/: frees its communicators
void endRecording();       // recording/: gathers and writes the profile

// A unit that was registered after MPI_Init (a shared library loaded late).
void startBatchesOf(sendwright_unit *unit);
void startRecordingOf(sendwright_unit *unit);

} // namespace sendwright

#endif
