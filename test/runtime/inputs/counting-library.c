/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Another tool that intercepts MPI_Send. */

#include <mpi.h>

int MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int destination, int tag,
             MPI_Comm communicator) {
  static int calls;
  ++calls;
  return PMPI_Send(buffer, count, datatype, destination, tag, communicator);
}
