// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How implementations of MPI differ where the runtime must know. The runtime is compiled once for
// each of them, and uses these constants instead of the preprocessor.

#ifndef SENDWRIGHT_RUNTIME_BASE_MPIDIFFERENCES_H
#define SENDWRIGHT_RUNTIME_BASE_MPIDIFFERENCES_H

#include "runtime/base/HeldSend.h"

#include <mpi.h>

namespace sendwright {

/// SMPI simulates all ranks in one process. Testing a request takes simulated time, and the clock
/// stands still in a loop that does not; copying takes no time. So MPI itself must wait, and the
/// simulator itself reports deadlocks. A request of a message to MPI_PROC_NULL must not be waited
/// for twice, MPI_Testany does not see generalised requests, and no request can be cancelled.
#ifdef SMPI_H
inline constexpr bool isSimulated = true;
#else
inline constexpr bool isSimulated = false;
#endif

#ifdef MPICH_VERSION
inline constexpr bool isMpich = true;
#else
inline constexpr bool isMpich = false;
#endif

#ifdef OPEN_MPI
inline constexpr bool isOpenMpi = true;
#else
inline constexpr bool isOpenMpi = false;
#endif

/// Whether MPI_Pack accepts MPI_BOTTOM, a null pointer, with a datatype of absolute addresses.
inline constexpr bool packsFromNull = !isMpich;

/// Whether the root of MPI_Reduce may contribute MPI_IN_PLACE. MPICH 4.0 reads it as an address
/// where the ranks of one node reduce in shared memory, as they do after some calls.
inline constexpr bool reducesInPlace = !isMpich;

/// Whether MPI_Finalize returns while sends are under way that no rank receives.
inline constexpr bool finalizesWithSends = !isMpich;

/// Whether MPI_Start leaves the request's handle unchanged. Open MPI replaces the handle of a
/// buffered send that is started again before its last message has left.
inline constexpr bool keepsHandle(SendMode mode) {
  return !isOpenMpi || mode != SendMode::Buffered;
}

} // namespace sendwright

#endif
