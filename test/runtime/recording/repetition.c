// Thirty thousand iterations of one pattern take no more room in the profile than ten, requests
// and communicators that come and go included.
//
// RUN: %mpicc -O1 %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t 30000
// RUN: test "$(stat -c %%s %t.prof)" -lt 4000
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: test "$(grep -c '^isend' %t.trace)" = 60000
// RUN: test "$(grep -c '^recv' %t.trace)" = 600

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, in, out = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[2];
  for (int i = 0; i < atoi(argv[1]); ++i) {
    MARK(first)
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    END_MARK
    if (i % 100 == 0) {
      MPI_Comm copy;
      MPI_Comm_dup(MPI_COMM_WORLD, &copy);
      MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, copy);
      MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, copy, MPI_STATUS_IGNORE);
      MPI_Comm_free(&copy);
    }
  }
  MPI_Finalize();
  return 0;
}
