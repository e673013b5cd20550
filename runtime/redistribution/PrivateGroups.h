// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private communicators for the program's: one for each ordered group of ranks, made when it is
// first met. Not by MPI_Comm_dup, which would run the callbacks of the program's attributes. A
// program that makes and frees communicators of the same ranks again and again needs one in all,
// and the attribute that remembers it leaves with the program's communicator.
//
// With MPI_THREAD_MULTIPLE threads may redistribute at once, over communicators of the same ranks.
// Then each of the program's communicators has a private one of its own, which is freed with it.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_PRIVATEGROUPS_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_PRIVATEGROUPS_H

#include <mpi.h>

#include <cstdint>

namespace sendwright::redistribution {

/// No bound on memory.
inline constexpr std::uint64_t unbounded = UINT64_MAX;

struct PrivateGroup {
  MPI_Comm communicator = MPI_COMM_NULL; ///< its errors are returned
  int rank = 0, ranks = 1;
  // The same on all ranks:
  bool disabled = false;                 ///< SENDWRIGHT_DISABLE on any of them
  std::uint64_t memoryBound = unbounded; ///< least SENDWRIGHT_REDISTRIBUTE_MEMORY, bytes
};

/// The private group of an intracommunicator's ranks. Collective where the group is new. Null where
/// MPI makes none, after the communicator's error handler was called. Several threads may call it
/// at once, with different communicators.
const PrivateGroup *privateGroup(MPI_Comm communicator);

} // namespace sendwright::redistribution

#endif
