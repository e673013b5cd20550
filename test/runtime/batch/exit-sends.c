// exit() within a scope: held messages are sent before the program's exit handlers run, which here
// overwrite the buffer and end MPI; the exit status is the program's.
//
// RUN: printf 'ranks 3\nsite 1\norder 2 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t > %t.out; test $? = 7; %FileCheck %s < %t.out

// CHECK-DAG: rank 1 received 5
// CHECK-DAG: rank 2 received 5

#include "../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(loop, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)

static int value = 5;

static void clean_up(void) {
  value = -1;
  MPI_Finalize();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0) {
    sendwright_batch(loop);
    atexit(clean_up);
    for (int other = 1; other < rank_count(); ++other)
      MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    exit(7);
  }
  MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d received %d\n", my_rank(), value);
  MPI_Finalize();
  return 0;
}
