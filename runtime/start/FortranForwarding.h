// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the generated Fortran entry points forward.
//
// Open MPI's Fortran library calls PMPI directly, past the wrappers of the C functions, so its own
// entry points need wrappers. So do those of MPICH, which call PMPI in some functions and MPI in
// others: a send would be captured without its completion being seen. So their inner calls pass
// through unchanged (fortranCalls). The wrappers need not know a function's arguments: under the
// calling conventions of x86-64 and aarch64 Linux everything that Fortran passes (addresses,
// descriptors' addresses and, at the end, string lengths) travels in integer registers and
// eight-byte stack slots that the caller owns. So the wrapper passes on sixteen of them, which is
// enough for every MPI function (MPI_Sendrecv has 13); slots that the caller did not fill lie in
// its frame and are not used.

#ifndef SENDWRIGHT_RUNTIME_START_FORTRANFORWARDING_H
#define SENDWRIGHT_RUNTIME_START_FORTRANFORWARDING_H

#include "runtime/base/Interception.h"
#include "runtime/batch/Flush.h"
#include "runtime/start/Lifecycle.h"
#include "runtime/strict/StrictBuffers.h"

#include <atomic>
#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the Fortran forwarders rely on the calling conventions of x86-64 and aarch64"
#endif

namespace sendwright {

using FortranFunction = std::intptr_t (*)(void *, void *, void *, void *, void *, void *, void *,
                                          void *, void *, void *, void *, void *, void *, void *,
                                          void *, void *);

/// The libraries with the profiling entry points, by their names for the dynamic linker; ends with
/// null.
extern const char *const fortranLibraries[];

/// The profiling entry point `twin` of `name`, looked up at the first call and kept in `target`,
/// because programs without Fortran have no Fortran library. A linker that drops seemingly unneeded
/// libraries drops it even from Fortran programs, because these forwarders are found first; then it
/// is loaded here. Ends the program if there is none: the program would not have started without
/// the runtime either.
FortranFunction fortranTarget(std::atomic<FortranFunction> &target, const char *name,
                              const char *twin);

/// Calls the entry point.
template <typename... Arguments>
std::intptr_t callFortran(std::atomic<FortranFunction> &target, const char *name, const char *twin,
                          Arguments... arguments) {
  struct Inside { // an error handler may throw
    Inside() : strict(sendwright_interception & (interceptStrict | interceptExchange)) {
      ++fortranCalls;
      if (strict) // only set where one thread calls MPI; several would write at the same time
        sendwright_interception &= ~strict;
    }
    ~Inside() {
      --fortranCalls;
      if (strict)
        sendwright_interception |= strict;
    }
    const int strict;
  };
  const FortranFunction function = fortranTarget(target, name, twin);
  const Inside inside;
  return function(arguments...);
}

/// Before any Fortran call except MPI_Abort: issues what is held.
inline void beforeFortranCall() {
  if (__builtin_expect(sendwright_interception & interceptBatch, 0))
    flushBatches();
  if (__builtin_expect(sendwright_interception & interceptStrict, 0))
    strict::noteFortran();
}

/// Before a call that frees `communicator`, and before a call that sets its error handler.
void beforeFortranFrees(const MPI_Fint *communicator);
void beforeFortranForgets(const MPI_Fint *communicator);

} // namespace sendwright

#endif
