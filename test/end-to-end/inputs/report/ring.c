// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank sends to the next a few times.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, ranks, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 10; ++round)
    MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % ranks, 0, (rank + ranks - 1) % ranks, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
