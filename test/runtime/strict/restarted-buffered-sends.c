// Persistent buffered sends with limited buffers, started again while their last messages are still
// under way, after the program freed the communicator. Open MPI may give such a request another handle
// at each start.
// Fails when the second start uses the handle of the first.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=1000 %mpirun 2 %t

#include <mpi.h>
#include <stdlib.h>

enum { count = 20000, turns = 4, others = 32 }; /* more than MPI sends before it is received */

int main(int argc, char **argv) {
  static int values[count];
  int rank, errors = 0, size = 2 * turns * ((int)sizeof values + MPI_BSEND_OVERHEAD);
  void *attached = malloc(size);
  MPI_Request request, other[others];
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Buffer_attach(attached, size);
  if (rank == 0)
    MPI_Bsend_init(values, count, MPI_INT, 1, 7, copy, &request);
  else
    MPI_Recv_init(values, count, MPI_INT, 0, 7, copy, &request);
  MPI_Comm_free(&copy);
  for (int half = 0; half < 2; ++half) {
    for (int turn = 0; turn < turns / 2 && rank == 0; ++turn) {
      values[count - 1] = 7; /* always, since Open MPI 4.1 may send what it copied at an earlier start */
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < turns / 2 && rank == 1; ++turn) {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      errors += values[count - 1] != 7;
      values[count - 1] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < others / 2; ++i) /* get the handles that MPI has free */
      MPI_Send_init(values, 1, MPI_INT, 1 - rank, 8, MPI_COMM_WORLD, &other[half * others / 2 + i]);
  }
  MPI_Request_free(&request);
  for (int i = 0; i < others; ++i)
    MPI_Request_free(&other[i]);
  MPI_Buffer_detach(&attached, &size);
  free(attached);
  MPI_Finalize();
  return errors;
}
