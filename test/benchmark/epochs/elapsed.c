// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a program between its start and its end in MPI, without that of mpirun: loaded before
// the program's libraries (LD_PRELOAD), it lets all ranks meet after MPI_Init, and each prints on
// standard error the seconds until it calls MPI_Finalize. They do not meet there, because ranks
// that call it serve barriers for the others.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static double begin;

int MPI_Init(int *count, char ***arguments) {
  int (*next)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_NEXT, "MPI_Init");
  int result = next(count, arguments);
  PMPI_Barrier(MPI_COMM_WORLD);
  begin = PMPI_Wtime();
  return result;
}

int MPI_Finalize(void) {
  fprintf(stderr, "elapsed: %.9f seconds\n", PMPI_Wtime() - begin);
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
  return next();
}
