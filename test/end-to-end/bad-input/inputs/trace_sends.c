/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Preloaded into a program, writes which sends of rank 0 reach MPI as blocking sends, in order. */

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm))dlsym(RTLD_NEXT, "PMPI_Send");
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "trace: blocking send to %d\n", to);
  return next(buffer, count, type, to, tag, comm);
}
