/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts how often the ranks met before a collective call. Under Open MPI and MPICH they meet in a
 * reduction of this kind, which programs that include this do not use. */

#ifndef TEST_RUNTIME_COUNTED_MEETINGS_H
#define TEST_RUNTIME_COUNTED_MEETINGS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>

static int meetings;

int PMPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm communicator, MPI_Request *request) {
  int (*const next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *))dlsym(
          RTLD_NEXT, "PMPI_Iallreduce");
  ++meetings;
  return next(from, to, count, type, op, communicator, request);
}

#endif
