// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private communicators that correspond to the program's: one for each ordered group of ranks,
// created when the group is first met, by the wrapper of MPI_Comm_create: the runtime knows them as
// it knows the program's. MPI_Comm_dup would run the callbacks of the program's attributes. A
// program that keeps creating and freeing communicators of the same ranks needs only one private
// communicator; the attribute that points to it ends with the program's communicator.
//
// With MPI_THREAD_MULTIPLE, threads may redistribute at the same time over communicators of the
// same ranks. Then each of the program's communicators has its own private communicator, which is
// freed with it.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_PRIVATEGROUPS_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_PRIVATEGROUPS_H

#include <mpi.h>

#include <cstdint>

namespace sendwright::redistribution {

/// Means that memory is not limited.
inline constexpr std::uint64_t unbounded = UINT64_MAX;

struct PrivateGroup {
  MPI_Comm communicator = MPI_COMM_NULL; ///< returns its errors
  int rank = 0, ranks = 1;
  // The same on all ranks:
  bool disabled = false;                 ///< SENDWRIGHT_DISABLE on any of the ranks
  std::uint64_t memoryBound = unbounded; ///< the least SENDWRIGHT_REDISTRIBUTE_MEMORY, bytes
  bool trusting = false;                 ///< SENDWRIGHT_REDISTRIBUTE_TRUST on all of the ranks
  mutable unsigned reflections = 0;      ///< that have begun
};

/// The private group for the ranks of an intracommunicator. Collective where the group is new. Null
/// if MPI could not create the communicator; its error handler was then called. Several threads may
/// call it at once, with different communicators.
const PrivateGroup *privateGroup(MPI_Comm communicator);

} // namespace sendwright::redistribution

#endif
