// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation units of the program that the plugin compiled, and whether the runtime is to do
// anything for them.

#ifndef SENDWRIGHT_RUNTIME_BASE_UNITS_H
#define SENDWRIGHT_RUNTIME_BASE_UNITS_H

#include "runtime/include/sendwright/runtime.h"

namespace sendwright {

/// The registered units, a list through `next`; null where no unit was registered. Thread-safe.
sendwright_unit *registeredUnits();

/// Adds a unit, and keeps the shared library that holds it loaded. False where it is there already.
/// Thread-safe.
bool addUnit(sendwright_unit *unit);

/// True when SENDWRIGHT_DISABLE is set to something other than "" and "0": nothing is captured or
/// recorded.
bool disabled();

/// False when the program's MPI calls go to another library that comes first at run time, which one
/// line says then: nothing can be captured, because a call that should flush would not be seen.
/// Thread-safe, looked up once.
bool callsReachRuntime();

/// Whether the program called MPI_Init from Fortran.
bool startedByFortran();
void noteStartByFortran();

} // namespace sendwright

#endif
