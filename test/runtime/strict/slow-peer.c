// A rank that computes or polls for long is no deadlock, nor is a large message under way, nor a
// buffer whose holder has received nothing new from MPI for long.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 3 %t > %t.out 2>&1
// RUN: test ! -s %t.out
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 3 %t > %t.out 2>&1
// RUN: test ! -s %t.out

#include <mpi.h>
#include <unistd.h>

enum { count = 1 << 24 };
static int large[count];

int main(int argc, char **argv) {
  int rank, value = 0, flag = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(large, count, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    usleep(4000000); // outside MPI
    MPI_Recv(large, count, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
  } else {
    while (!flag)
      MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
