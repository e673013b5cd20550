// Where several threads may call MPI, nothing is captured, and a line says so. Here another thread
// waits for a send of the loop, and the loop waits for that thread. Hangs when the send is
// captured.
//
// RUN: printf 'ranks 2\nsite 1\norder 0 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime -pthread
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t 2>&1 | %FileCheck %s
// CHECK-DAG: sendwright: this run may call MPI from several threads: loops run as written
// CHECK-DAG: received

#include "../inputs/planned-loop.h"

#include <pthread.h>
#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

static MPI_Request request;
static int value = 5;

static void *wait_for_it(void *unused) {
  MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  EXPECT(provided == MPI_THREAD_MULTIPLE);
  if (my_rank() == 0) {
    pthread_t thread;
    sendwright_batch(loop);
    MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_join(thread, NULL); // after rank 1 answered what was sent
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    puts("received");
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
