// Receives and probes from any rank find messages that hold a buffer, wait for one, or never needed
// one. A receive from any rank that nobody sends to is a deadlock, too.
//
// RUN: %mpicc -g %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 4 %t
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 4 %t
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 4 %t more > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// CHECK: sendwright: deadlock
// CHECK-NEXT: rank 0: MPI_Recv from any rank, any tag, at wildcards-and-probes.c:[[#]]: no rank sends it
// CHECK-NEXT: rank 1: MPI_Finalize: rank 0 has not called it
// CHECK-NEXT: rank 2: MPI_Finalize: rank 0 has not called it
// CHECK-NEXT: rank 3: MPI_Finalize: rank 0 has not called it

#include <mpi.h>

static int receive(int way, MPI_Status *status) {
  int value = -1, flag = 0;
  MPI_Message message;
  if (way == 0)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status);
  if (way == 1) {
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status);
    MPI_Recv(&value, 1, MPI_INT, status->MPI_SOURCE, 5, MPI_COMM_WORLD, status);
  }
  if (way == 2) {
    while (!flag)
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, status);
    MPI_Recv(&value, 1, MPI_INT, status->MPI_SOURCE, 5, MPI_COMM_WORLD, status);
  }
  if (way == 3) {
    MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, status);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
  return value;
}

int main(int argc, char **argv) {
  int rank, errors = 0;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int way = 0; way < 4; ++way)
    for (int message = 0; message < 3; ++message) {
      if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
      else if (receive(way, &status) != status.MPI_SOURCE)
        ++errors;
      if (rank == 0)
        for (int other = 0; other < 2; ++other)
          receive(way, &status);
    }
  if (argc > 1 && rank == 0)
    receive(0, &status);
  MPI_Finalize();
  return errors;
}
