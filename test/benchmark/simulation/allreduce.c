// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over all ranks, one after another.
//
// Usage: allreduce [COUNT [BYTES]]: 100 sums of a double

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { largest = 1 << 16 };

static double in[largest], out[largest];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int count = argc > 1 ? atoi(argv[1]) : 100;
  const int doubles = argc > 2 ? atoi(argv[2]) / (int)sizeof(double) : 1;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (doubles > largest)
    MPI_Abort(MPI_COMM_WORLD, 2);
  in[0] = rank;
  for (int done = 0; done < count; done++)
    MPI_Allreduce(in, out, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%g\n", out[0]);
  MPI_Finalize();
  return 0;
}
