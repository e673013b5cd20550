// MPI_Buffer_detach waits until buffered messages have left, which may take until they are received. Ranks
// that synchronise could wait for a rank in it, and so could the receiver: for ever. So what is due is
// done before the call, and a rank with further calls continues without synchronisation.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
// RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 3 %t/profiled
// RUN: %sendwright plan %t/run.prof -o %t/run.plan --synchronize full
// RUN: %mpicc -O1 -g %use=%t/run.plan %s -o %t/synchronized %runtime
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 3 %t/synchronized 2>&1 | %FileCheck %s
// RUN: env SENDWRIGHT_BUFFERS=10 SENDWRIGHT_WATCHDOG=20,abort %mpirun 3 %t/synchronized 2>&1 | %FileCheck %s
// CHECK-DAG: sendwright: this run communicates differently from its profile ({{another rank makes a call|MPI_Buffer_detach}} that no profile records): it continues without synchronisation
// CHECK-DAG: sum 14
//
// Where it is the last call, all is synchronised.
// RUN: env SENDWRIGHT_PROFILE=%t/last.prof %mpirun 3 %t/profiled last
// RUN: %sendwright plan %t/last.prof -o %t/last.plan --synchronize full
// RUN: %mpicc -O1 -g %use=%t/last.plan %s -o %t/last %runtime
// RUN: env SENDWRIGHT_WATCHDOG=20,abort %mpirun 3 %t/last last 2>&1 | %FileCheck --check-prefix=LAST %s
// LAST-NOT: sendwright
// LAST: sum 14

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { many = 1 << 20 };

static int sum;

static void send_to(int rank) { MPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD); }

static void receive_from(int rank) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sum += value;
}

static void detach(void) {
  void *memory;
  int size;
  MPI_Buffer_detach(&memory, &size);
}

int main(int argc, char **argv) {
  const int last = argc > 1;
  int rank, total = 0, *values = calloc(many, sizeof *values);
  void *memory = malloc(sizeof(int[many]) + MPI_BSEND_OVERHEAD);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Buffer_attach(memory, (int)sizeof(int[many]) + MPI_BSEND_OVERHEAD);
    MPI_Bsend(values, many, MPI_INT, 2, 1, MPI_COMM_WORLD);
    if (!last)
      detach();
  }
  for (int round = 0; round < 4 && rank > 0; ++round) {
    send_to(3 - rank);
    receive_from(3 - rank);
  }
  if (rank == 2)
    MPI_Recv(values, many, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0)
    send_to(2);
  if (rank == 2)
    receive_from(0);
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && last)
    detach();
  if (rank == 0)
    printf("sum %d\n", total);
  MPI_Finalize();
  free(memory);
  free(values);
  return 0;
}
