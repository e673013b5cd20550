// Limited buffers work while a profile is recorded; the profile is as without a limit.
//
// RUN: %mpicc -I%binary_root/include -g %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.free.prof %mpirun 2 %t
// RUN: env SENDWRIGHT_PROFILE=%t.strict.prof SENDWRIGHT_BUFFERS=1 %mpirun 2 %t
// RUN: %print_profile %t.free.prof > %t.free && %print_profile %t.strict.prof > %t.strict
// RUN: grep MPI_Irecv %t.free && diff %t.free %t.strict

#include "../inputs/recorded.h"

#include <mpi.h>

int main(int argc, char **argv) {
  int rank, received;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MARK(first)
  for (int turn = 0; turn < 4; ++turn) {
    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, turn, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, turn, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  END_MARK
  MPI_Finalize();
  return received != 1 - rank;
}
