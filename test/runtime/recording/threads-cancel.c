// One thread waits for a receive, and another cancels it: the call is recorded with the request. (In
// MPICH 4.0 the program hangs by itself.)
//
// UNSUPPORTED: mpich
// RUN: %mpicc -O1 %s -o %t %runtime -lpthread
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: %FileCheck %s <%t.trace
// CHECK: irecv {{.*}} req=[[REQUEST:[0-9]+]] {{.*}}tag=7
// CHECK: cancel req=[[REQUEST]]

#include "../inputs/recorded.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static MPI_Request request;

static void *waits(void *argument) {
  MPI_Status status;
  int cancelled = 0;
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  if (!cancelled)
    abort();
  return argument;
}

int main(int argc, char **argv) {
  int provided, in = 0;
  pthread_t waiting;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    abort();
  MARK(first)
  MPI_Irecv(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Request same = request;
  pthread_create(&waiting, NULL, waits, NULL);
  usleep(200000); // the other thread waits by now
  MPI_Cancel(&same);
  pthread_join(waiting, NULL);
  END_MARK
  MPI_Finalize();
  return 0;
}
