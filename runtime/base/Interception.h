// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call of the program travels through the runtime.
//
//     MPI_Isend                            generated wrapper; one test of sendwright_interception
//       -> sendwright_record_MPI_Isend     while a profile is recorded (recording/)
//       -> sendwright_exchange_MPI_Isend   while messages are shared (sharing/)
//         -> sendwright_inner_MPI_Isend    generated: what an open batch wants of this function
//           -> sendwright_batch_MPI_Isend  effects Capture, Complete, Remember (batch/)
//              or flushBatches()           effect Flush
//           -> sendwright_next_MPI_Isend   what is below the batches, which call it, too
//             -> sendwright_strict_MPI_Isend   while buffers are limited (strict/)
//             -> PMPI_Isend
//
// The wrappers are generated at build time from the mpi.h of the MPI that is built against and from
// analysis/mpi/MpiFunctions.def, so that every function which that header declares has one.

#ifndef SENDWRIGHT_RUNTIME_BASE_INTERCEPTION_H
#define SENDWRIGHT_RUNTIME_BASE_INTERCEPTION_H

#include <mpi.h>

extern "C" {
/// Bits of what the wrappers have to do besides calling MPI; 0 for a program at rest. Written by
/// the thread that calls MPI (recording with several threads sets its bit once, in
/// MPI_Init_thread).
extern int sendwright_interception __attribute__((visibility("hidden")));
}

namespace sendwright {

inline constexpr int interceptRecording = 1;        ///< a profile is being recorded
inline constexpr int interceptBatch = 2;            ///< a batch is open
inline constexpr int interceptRequests = 4;         ///< captured requests wait for their completion
inline constexpr int interceptStrict = 8;           ///< message buffers are limited
inline constexpr int interceptSynchronization = 16; ///< super epochs are kept apart
inline constexpr int interceptExchange = 32;        ///< messages are shared
inline constexpr int interceptCollectives = 64;     ///< new communicators may have collectives

/// How many entry points for Fortran are on this thread's stack. What they call within MPI is
/// neither captured nor recorded, whichever of its functions an implementation uses.
extern constinit thread_local int fortranCalls __attribute__((visibility("hidden")));

/// Where the program called a wrapper.
struct Caller {
  const void *address; ///< what the wrapper returns to
  const void *frame;   ///< the lowest address of the calling function's frame
};

/// One line on standard error of rank 0, "sendwright: ...", at most once per distinct text and run,
/// escaped where names in it hold what is no text.
/// Usable before MPI_Init and after MPI_Finalize (then on every process that has no rank or rank
/// 0).
void sayOnce(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace sendwright

#endif
