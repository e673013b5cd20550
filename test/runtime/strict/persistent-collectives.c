// Persistent collectives are waited for as in MPI, alone and together with messages. Fails under
// MPICH 4.0 when a wait for all is a loop of MPI_Testall.
//
// UNSUPPORTED: openmpi
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=1000 %mpirun 2 %t

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, value, own, other, errors = 0;
  MPI_Request requests[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Send_init(&own, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Recv_init(&other, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[3]);
  for (int round = 0; round < 4; ++round) {
    value = rank ? -1 : round;
    own = 10 * round + rank;
    if (rank == round % 2)
      usleep(100000);
    if (round < 2) {
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
      MPI_Startall(4, requests);
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
      errors += other != 10 * round + 1 - rank;
    }
    errors += value != round;
  }
  for (int index = 0; index < 4; ++index)
    MPI_Request_free(&requests[index]);
  MPI_Finalize();
  return errors;
}
