// MPI_Comm_dup_with_info passes through every layer as MPI_Comm_dup does. A profile records it, on all
// ranks; a run that is synchronised by a plan from that profile stays synchronised across it; and a
// rank that waits in it serves others when buffers are limited. Fails when it is not recorded: the
// synchronised run then gives up its synchronisation, and says so.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled
// RUN: %sendwright trace export %t/run.prof -o %t/run.trace
// RUN: grep -v ^compute %t/run.trace | %FileCheck --check-prefix=RECORDED %s
// RUN: %sendwright plan %t/run.prof -o %t/run.plan --synchronize full
// RUN: %mpicc -O1 -g %use=%t/run.plan %s -o %t/synchronized %runtime
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 3 %t/synchronized > %t/synchronized.out 2>&1
// RUN: %FileCheck --check-prefix=SYNCHRONIZED %s < %t/synchronized.out
// RUN: env SENDWRIGHT_BUFFERS=1 %mpirun 3 %t/profiled | %FileCheck --check-prefix=LIMITED %s

// RECORDED: rank 0
// RECORDED: collective comm_dup_with_info
// RECORDED-NEXT: recv 1 bytes=4 tag=1 comm=1
// RECORDED: rank 1
// RECORDED: collective comm_dup_with_info
// RECORDED-NEXT: send 0 bytes=4 tag=1 comm=1
// RECORDED: rank 2
// RECORDED: collective comm_dup_with_info

// SYNCHRONIZED-NOT: without synchronisation
// SYNCHRONIZED: sum 13
// SYNCHRONIZED-NOT: without synchronisation

// LIMITED: sum 13

#include <mpi.h>

#include <stdio.h>

static int sum;

static void send_to(int rank, int tag, MPI_Comm communicator) {
  int value = tag + 1;
  MPI_Send(&value, 1, MPI_INT, rank, tag, communicator);
}

static void receive_from(int rank, int tag, MPI_Comm communicator) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, rank, tag, communicator, MPI_STATUS_IGNORE);
  sum += value;
}

int main(int argc, char **argv) {
  int rank, total = 0;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 4 && rank < 2; ++round) {
    send_to(1 - rank, 0, MPI_COMM_WORLD);
    receive_from(1 - rank, 0, MPI_COMM_WORLD);
  }
  if (rank == 1)
    send_to(2, 2, MPI_COMM_WORLD); // still in a buffer of rank 2 when that waits in the call
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy);
  if (rank == 0)
    receive_from(1, 1, copy);
  else if (rank == 1)
    send_to(0, 1, copy);
  else
    receive_from(1, 2, MPI_COMM_WORLD);
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d\n", total);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
