// A run stays the same if messages arrive in another order: the completions of one Waitany loop are
// one event with sorted requests. So ten rounds in alternating order are recorded as one repeated
// round.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 3 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: grep -v ^compute %t.trace > %t.calls
// RUN: test "$(grep -cx 'wait req=0,1 site=program.c:2' %t.calls)" = 10
// RUN: test "$(grep -c wait %t.calls)" = 10

#include "../inputs/recorded.h"

#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  int rank, data[2] = {0}, index, flag;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 10; ++round) {
    const int early = 1 + round % 2, late = 3 - early;
    if (rank == 0) {
      MPI_Request requests[2];
      MPI_Irecv(&data[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(&data[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
      MPI_Send(data, 1, MPI_INT, early, 1, MPI_COMM_WORLD);
      MPI_Recv(NULL, 0, MPI_INT, early, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, 1, MPI_INT, late, 1, MPI_COMM_WORLD);
      MARK(second)
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
      do
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
      while (!flag);
      END_MARK
    } else {
      MPI_Recv(data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
      if (rank == early)
        MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
