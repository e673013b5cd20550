// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/batch/CapturedStart.h"

#include "runtime/interception/Wrappers.h"

#include <dlfcn.h>

namespace sendwright {

#ifdef OPEN_MPI

// MPI_Start calls no handler and returns Open MPI's own codes, which are below zero.
void startCaptured(MPI_Request request, MPI_Comm communicator, SendMode mode, bool) {
  int error = sendwright_next_MPI_Start(&request);
  if (error == MPI_SUCCESS)
    return;
  if (error < 0)
    error = mode == SendMode::Buffered ? MPI_ERR_BUFFER : MPI_ERR_OTHER;
  PMPI_Comm_call_errhandler(communicator, error);
}

#elif defined(MPICH_VERSION)

namespace {

/// While it lives, errors on the communicator are returned to the caller.
class ErrorsReturned {
public:
  explicit ErrorsReturned(MPI_Comm communicator) : communicator(communicator) {
    PMPI_Comm_get_errhandler(communicator, &saved);
    PMPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturned() {
    PMPI_Comm_set_errhandler(communicator, saved);
    PMPI_Errhandler_free(&saved);
  }
  ErrorsReturned(const ErrorsReturned &) = delete;
  ErrorsReturned &operator=(const ErrorsReturned &) = delete;

private:
  MPI_Comm communicator;
  MPI_Errhandler saved = MPI_ERRHANDLER_NULL;
};

} // namespace

// MPI_Start calls the handler of MPI_COMM_WORLD or, from MPI 4.0 on, of MPI_COMM_SELF.
void startCaptured(MPI_Request request, MPI_Comm communicator, SendMode, bool defaultHandler) {
  int error = MPI_SUCCESS;
  if (defaultHandler) {
    error = sendwright_next_MPI_Start(&request);
  } else {
    const ErrorsReturned world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
    error = sendwright_next_MPI_Start(&request);
  }
  if (error != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(communicator, error);
}

#else

void startCaptured(MPI_Request request, MPI_Comm, SendMode, bool) {
  sendwright_next_MPI_Start(&request);
}

#endif

bool isWithinMpi(const void *address) {
  // A function that tools have no reason to define themselves.
  Dl_info mpi, other;
  return dladdr(reinterpret_cast<const void *>(&PMPI_Get_library_version), &mpi) &&
         dladdr(address, &other) && mpi.dli_fbase == other.dli_fbase;
}

} // namespace sendwright
