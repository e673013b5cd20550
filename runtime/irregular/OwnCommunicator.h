// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator of this rank alone, for what it sends itself.

#ifndef SENDWRIGHT_RUNTIME_IRREGULAR_OWNCOMMUNICATOR_H
#define SENDWRIGHT_RUNTIME_IRREGULAR_OWNCOMMUNICATOR_H

#include <mpi.h>

#include <utility>

namespace sendwright::irregular {

/// Making it may fail on one rank and not on another. So each rank makes its own before all agree
/// to begin.
class OwnCommunicator {
public:
  /// Local. Returns errors from then on.
  OwnCommunicator() {
    if (PMPI_Comm_dup(MPI_COMM_SELF, &communicator) != MPI_SUCCESS)
      communicator = MPI_COMM_NULL;
    else
      PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  }
  OwnCommunicator(const OwnCommunicator &) = delete;
  OwnCommunicator &operator=(const OwnCommunicator &) = delete;
  ~OwnCommunicator() {
    if (communicator != MPI_COMM_NULL)
      PMPI_Comm_free(&communicator);
  }

  /// Why there is none, or null.
  const char *obstacle() const {
    return communicator == MPI_COMM_NULL ? "MPI cannot create a communicator" : nullptr;
  }
  /// The caller frees it.
  MPI_Comm release() { return std::exchange(communicator, MPI_COMM_NULL); }

private:
  MPI_Comm communicator = MPI_COMM_NULL;
};

} // namespace sendwright::irregular

#endif
