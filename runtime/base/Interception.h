// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call of the program travels through the runtime.
//
//     MPI_Sendrecv                         in an open chain of exchanges (chains/) calls MPI_Irecv
//                                          and MPI_Isend
//     MPI_Isend                            generated wrapper; one test of sendwright_interception
//       -> sendwright_measured_MPI_Isend   while loads are measured (redistribution/): all the rest
//       -> sendwright_record_MPI_Isend     while a profile is recorded (recording/)
//       -> sendwright_exchange_MPI_Isend   while messages are shared (sharing/)
//         -> sendwright_inner_MPI_Isend    generated: what an open batch does with this function
//           -> sendwright_batch_MPI_Isend  effects Capture, Complete, Remember (batch/)
//              or flushBatches()           effect Flush
//           -> sendwright_next_MPI_Isend   the layers below the batches, which also call it
//             -> sendwright_strict_MPI_Isend   while buffers are limited (strict/)
//             -> PMPI_Isend
//
// The wrappers are generated at build time from the mpi.h of the MPI that is built against and from
// analysis/mpi/MpiFunctions.def, so that every function declared in that header has a wrapper.

#ifndef SENDWRIGHT_RUNTIME_BASE_INTERCEPTION_H
#define SENDWRIGHT_RUNTIME_BASE_INTERCEPTION_H

#include <mpi.h>

extern "C" {
/// Bits that tell the wrappers what to do besides calling MPI; 0 for a program at rest. Written by
/// the thread that calls MPI (recording with several threads sets its bit once, in
/// MPI_Init_thread).
extern int sendwright_interception __attribute__((visibility("hidden")));
}

namespace sendwright {

inline constexpr int interceptRecording = 1;        ///< a profile is being recorded
inline constexpr int interceptBatch = 2;            ///< a batch is open, or its execution is timed
inline constexpr int interceptRequests = 4;         ///< captured requests are not completed yet
inline constexpr int interceptStrict = 8;           ///< message buffers are limited
inline constexpr int interceptSynchronization = 16; ///< super epochs are kept apart
inline constexpr int interceptExchange = 32;        ///< messages are shared
inline constexpr int interceptCollectives = 64;     ///< new communicators may have collectives
inline constexpr int interceptIrregular = 128;      ///< irregular collectives are replaced
inline constexpr int interceptChain = 256;          ///< a chain of exchanges is open
inline constexpr int interceptMeasuring = 512;      ///< calls are timed, as loads are measured

/// How many Fortran entry points are on this thread's stack. Their calls within MPI are neither
/// captured nor recorded, whichever of its functions an implementation uses.
extern constinit thread_local int fortranCalls __attribute__((visibility("hidden")));

/// Where the program called a wrapper.
struct Caller {
  const void *address; ///< the wrapper's return address
  const void *frame;   ///< the lowest address of the calling function's frame
};

/// Prints one line on standard error of rank 0, "sendwright: ...", at most once for each distinct
/// text in a run. Bytes in names that are not text are escaped. Usable before MPI_Init and after
/// MPI_Finalize (then by every process that is rank 0 or has no rank).
void sayOnce(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace sendwright

#endif
