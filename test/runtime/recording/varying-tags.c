// Tags that change with every iteration take no more room in the profile than a few tags, and are
// read as they were: the number of the iteration, a cycle, a tag for each message of an iteration,
// and the two tags of MPI_Sendrecv.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t 100
// RUN: env SENDWRIGHT_PROFILE=%t.long.prof %mpirun 2 %t 2000
// RUN: test "$(stat -c %%s %t.long.prof)" -lt 6000
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -e '^i*send ' -e '^i*recv ' %t.trace > %t.calls
// RUN: env LD_PRELOAD=$TEST_PRELOAD %t expected 100 > %t.expected
// RUN: sed -e 's/.* tag=\([0-9]*\).*/\1/' -e 's/^[^0-9].*/0/' %t.calls > %t.tags
// RUN: cmp %t.tags %t.expected

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tags of all calls in their order; a trace has MPI_Sendrecv as irecv, send. */
static void expect(int iterations) {
  for (int rank = 0; rank < 2; ++rank)
    for (int i = 0; i < iterations; ++i) {
      printf("%d\n%d\n%d\n%d\n", i, i, 7 + i % 20, 7 + i % 20);
      for (int k = 0; k < 3; ++k)
        printf("%d\n", 50 + 6 * i + k);
      for (int k = 3; k-- > 0;)
        printf("%d\n", 50 + 6 * i + k);
      printf("%d\n%d\n", 2 * i + 1 - rank, 2 * i + rank);
    }
}

int main(int argc, char **argv) {
  if (strcmp(argv[1], "expected") == 0) {
    expect(atoi(argv[2]));
    return 0;
  }
  int rank, in, out = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[3];
  for (int i = 0; i < atoi(argv[1]); ++i) {
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, 7 + i % 20, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 7 + i % 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int k = 0; k < 3; ++k)
      MPI_Isend(&out, 1, MPI_INT, 1 - rank, 50 + 6 * i + k, MPI_COMM_WORLD, &requests[k]);
    for (int k = 3; k-- > 0;)
      MPI_Recv(&in, 1, MPI_INT, 1 - rank, 50 + 6 * i + k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 2 * i + rank, &in, 1, MPI_INT, 1 - rank,
                 2 * i + 1 - rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
