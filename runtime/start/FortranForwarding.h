// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the generated Fortran entry points forward.
//
// Open MPI's Fortran library calls PMPI directly, past the wrappers of the C functions, so its own
// entry points need wrappers. So do MPICH's, which call PMPI in some functions and MPI in others: a
// send would be captured whose completion is not seen. What they call is therefore passed through
// (fortranCalls). Their wrappers need not know a function's arguments: under the calling
// conventions of x86-64 and aarch64 Linux all that Fortran passes (addresses, descriptors'
// addresses and, at the end, string lengths) travels in integer registers and eight-byte stack
// slots that the caller owns. Passing on sixteen of them passes on whatever there is, and reading
// slots that the caller did not fill reads its own frame, unused. No MPI function has more
// (MPI_Sendrecv has 13).

#ifndef SENDWRIGHT_RUNTIME_START_FORTRANFORWARDING_H
#define SENDWRIGHT_RUNTIME_START_FORTRANFORWARDING_H

#include "runtime/base/Interception.h"
#include "runtime/batch/Flush.h"
#include "runtime/start/Lifecycle.h"
#include "runtime/strict/StrictBuffers.h"

#include <atomic>
#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the Fortran forwarders rest on the calling conventions of x86-64 and aarch64"
#endif

namespace sendwright {

using FortranFunction = std::intptr_t (*)(void *, void *, void *, void *, void *, void *, void *,
                                          void *, void *, void *, void *, void *, void *, void *,
                                          void *, void *);

/// The libraries with the profiling entry points, as the dynamic linker knows them; ends with null.
extern const char *const fortranLibraries[];

/// The profiling entry point `twin` of `name`, looked up at the first call and kept in `target`:
/// programs without Fortran have no Fortran library. A linker that leaves out what it thinks
/// unneeded leaves it out of programs with Fortran, too, since these forwarders are found first;
/// then it is loaded here. Ends the program where there is none, which would not have started
/// without us.
FortranFunction fortranTarget(std::atomic<FortranFunction> &target, const char *name,
                              const char *twin);

/// Calls it.
template <typename... Arguments>
std::intptr_t callFortran(std::atomic<FortranFunction> &target, const char *name, const char *twin,
                          Arguments... arguments) {
  struct Inside { // an error handler may throw
    Inside() : strict(sendwright_interception & (interceptStrict | interceptExchange)) {
      ++fortranCalls;
      if (strict) // set for one thread at a time only; others would write at once
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

/// Before any Fortran call but MPI_Abort: issues what is held.
inline void beforeFortranCall() {
  if (__builtin_expect(sendwright_interception & interceptBatch, 0))
    flushBatches();
  if (__builtin_expect(sendwright_interception & interceptStrict, 0))
    strict::noteFortran();
}

/// Before a call that frees `communicator`, and before one that sets its error handler.
void beforeFortranFrees(const MPI_Fint *communicator);
void beforeFortranForgets(const MPI_Fint *communicator);

} // namespace sendwright

#endif
