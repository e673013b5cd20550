// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a process does for other ranks while a layer of the runtime waits. The waiting layer need
// not know who serves.

#ifndef SENDWRIGHT_RUNTIME_BASE_SERVINGOTHERS_H
#define SENDWRIGHT_RUNTIME_BASE_SERVINGOTHERS_H

#include <mpi.h>

namespace sendwright {

/// How a layer serves.
struct Service {
  /// Receives, delivers and passes on what has arrived for others. Does not wait.
  void (*serve)();
  /// Serves until this rank may make a blocking collective call on the communicator: nobody is
  /// served in it.
  void (*enter)(MPI_Comm communicator);
  /// As PMPI_Waitany(), and serves meanwhile; under SMPI, where nobody can wait by serve() alone.
  int (*waitAny)(int count, MPI_Request *requests, int *index, MPI_Status *status);
};

/// From here on `service` serves others; null: nobody does. One layer at a time: message sharing or
/// strict buffers, which exclude one another. The object must outlive the process's use of it.
void serveOthersBy(const Service *service);

/// Whether a layer serves others.
bool servesOthers();

void serveOthers();
/// To be called before a blocking collective call of the runtime's own, by all members.
void serveBeforeCollective(MPI_Comm communicator);
int waitAnyAndServe(int count, MPI_Request *requests, int *index, MPI_Status *status);

} // namespace sendwright

#endif
