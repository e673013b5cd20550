// A loop that serves two phases of an iteration: what the program computes before each is kept
// apart, although both send the same messages. Fails if the time is divided among them.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: awk '/^compute/ { computed = $2 } /^isend/ { long += computed > 0.02; short += computed < 0.01; computed = 0 } \
// RUN:   END { print long, short; exit !(long == 12 && short == 12) }' %t.trace

#include "../inputs/recorded.h"

#include <mpi.h>
#include <unistd.h>

static int rank;

static void phase(void) {
  int in, out = 0;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MARK(first)
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  END_MARK
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void phase_after_computation(void) {
  int in, out = 0;
  MPI_Request requests[2];
  usleep(30000);
  MARK(first)
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  END_MARK
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int iteration = 0; iteration < 6; ++iteration) {
    phase();
    phase_after_computation();
  }
  MPI_Finalize();
  return 0;
}
