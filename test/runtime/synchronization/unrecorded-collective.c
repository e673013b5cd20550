// A plan does not know that ranks may wait for one another in MPI_Comm_idup or MPI_Comm_disconnect. Ranks
// that synchronise before such a call would wait for a rank that synchronises after it, which waits for
// them in it. So a rank that comes to one continues without synchronisation. Fails when it does not: the
// run hangs.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled
// RUN: %sendwright plan %t/run.prof -o %t/run.plan --synchronize full
// RUN: %mpicc -O1 -g %use=%t/run.plan %s -o %t/synchronized %runtime
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 3 %t/synchronized 2>&1 | %FileCheck %s
// RUN: env SENDWRIGHT_PROFILE=%t/disconnect.prof %mpirun 3 %t/profiled disconnect
// RUN: %sendwright plan %t/disconnect.prof -o %t/disconnect.plan --synchronize full
// RUN: %mpicc -O1 -g %use=%t/disconnect.plan %s -o %t/disconnecting %runtime
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 3 %t/disconnecting disconnect 2>&1 | %FileCheck %s --check-prefix=LEAVES
// CHECK-DAG: sendwright: this run communicates differently from its profile ({{another rank makes a call|MPI_Comm_idup}} that no profile records): it continues without synchronisation
// CHECK-DAG: sum 6
// LEAVES-DAG: sendwright: this run communicates differently from its profile ({{another rank makes a call|MPI_Comm_disconnect}} that no profile records): it continues without synchronisation
// LEAVES-DAG: sum 6

#include <mpi.h>

#include <stdio.h>

static int sum;

static void send_to(int rank) { MPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD); }

static void receive_from(int rank) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sum += value;
}

static void duplicate(void) {
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
}

int main(int argc, char **argv) {
  const int disconnects = argc > 1;
  int rank, total = 0;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (disconnects)
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0)
    send_to(2);
  for (int round = 0; round < 4 && rank < 2; ++round) {
    send_to(1 - rank);
    receive_from(1 - rank);
  }
  if (disconnects)
    MPI_Comm_disconnect(&copy);
  else
    duplicate();
  if (rank == 2) {
    receive_from(0);
    send_to(0);
  } else if (rank == 0) {
    receive_from(2);
  }
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d\n", total);
  MPI_Finalize();
  return 0;
}
