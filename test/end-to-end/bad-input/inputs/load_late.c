/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Loads a shared library with exchange() in it after MPI has begun. */

#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void *library = dlopen(argv[1], RTLD_NOW);
  void (*exchange)(int, int) = library ? (void (*)(int, int))dlsym(library, "exchange") : 0;
  if (!exchange)
    MPI_Abort(MPI_COMM_WORLD, 1);
  exchange(rank, size);
  exchange(rank, size);
  MPI_Finalize();
  return 0;
}
