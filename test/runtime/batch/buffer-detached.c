// Detaching the buffer in the loop waits for what the loop has sent from it: detaching flushes.
// Fails without the flush: the buffered send is issued when no buffer is attached.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 20000 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static int values[count];
  int size = count * sizeof(int) + MPI_BSEND_OVERHEAD;
  void *attached = malloc(size);
  if (my_rank() == 0) {
    MPI_Buffer_attach(attached, size);
    sendwright_batch(loop);
    MPI_Bsend(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Buffer_detach(&attached, &size);
  } else {
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(attached);
  MPI_Finalize();
}
