// One thread completes a request, and MPI gives its handle to another thread at once. Each thread's
// completions are recorded for its own request: only receives match, and each what it received.
//
// RUN: %mpicc -O1 %s -o %t %runtime -lpthread
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: test "$(grep -c '^irecv [*] req=[0-9]* bytes=4 tag=[123] from=[01] ' %t.trace)" = 6000

#include "../inputs/recorded.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { threads = 3, messages = 1000 };
static int rank;

/// Tests each send until it is complete.
static void *sends(void *argument) {
  const int tag = *(int *)argument;
  MARK(first)
  for (int i = 0; i < messages; ++i) {
    int out = i, done = 0;
    MPI_Request request;
    MPI_Issend(&out, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &request);
    while (!done)
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  END_MARK
  return NULL;
}

static void *receives(void *argument) {
  const int tag = *(int *)argument;
  MARK(second)
  for (int i = 0; i < messages; ++i) {
    int in = -1, done = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
    while (!done)
      MPI_Test(&request, &done, &status);
    if (in != i || status.MPI_SOURCE != 1 - rank)
      abort();
  }
  END_MARK
  return NULL;
}

int main(int argc, char **argv) {
  int provided, tags[threads];
  pthread_t running[2 * threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    abort();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < threads; ++i) {
    tags[i] = 1 + i;
    pthread_create(&running[2 * i], NULL, sends, &tags[i]);
    pthread_create(&running[2 * i + 1], NULL, receives, &tags[i]);
  }
  for (int i = 0; i < 2 * threads; ++i)
    pthread_join(running[i], NULL);
  MPI_Finalize();
  return 0;
}
