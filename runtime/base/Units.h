// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's translation units that the plugin compiled, and whether the runtime must do
// anything for them.

#ifndef SENDWRIGHT_RUNTIME_BASE_UNITS_H
#define SENDWRIGHT_RUNTIME_BASE_UNITS_H

#include "runtime/include/sendwright/runtime.h"

namespace sendwright {

/// The first registered unit; `next` leads to the others. Null if there is no unit. Thread-safe.
sendwright_unit *registeredUnits();
/// The first of them that was built with a plan, or null. Thread-safe.
const sendwright_unit *firstUnitWithPlan();

/// Adds a unit, and keeps the shared library that holds it loaded. False if the unit is already
/// there. Thread-safe.
bool addUnit(sendwright_unit *unit);

/// True when SENDWRIGHT_DISABLE is set to something other than "" and "0": nothing is captured or
/// recorded.
bool disabled();

/// False if the program's MPI calls go to another library that comes first at run time; one line
/// then says so. Nothing can be captured then, because a call that should flush would not be seen.
/// Thread-safe; determined once.
bool callsReachRuntime();

/// Whether the program called MPI_Init from Fortran.
bool startedByFortran();
void noteStartByFortran();

} // namespace sendwright

#endif
