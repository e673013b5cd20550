// Four threads a rank that communicate at once are recorded, every call once, and each thread has
// its own marked loop. Results do not change.
//
// RUN: %mpicc -O1 %s -o %t %runtime -lpthread
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t
// RUN: %sendwright trace export %t.prof -o %t.trace
// RUN: test "$(grep -c '^isend .*site=program.c:1' %t.trace)" = 2000
// RUN: test "$(grep -c '^irecv .*site=program.c:1' %t.trace)" = 2000
// RUN: test "$(grep -c '^isend .*site=program.c:2' %t.trace)" = 2000
// RUN: test "$(grep -c '^irecv .*site=program.c:2' %t.trace)" = 2000
// RUN: test "$(grep -c '^[^ ]* .* tag=[0-9]*$' %t.trace)" = 0

#include "../inputs/recorded.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { threads = 4, messages = 500 };
static int rank;

static void exchange(int tag) {
  for (int i = 0; i < messages; ++i) {
    int in = -1, out = i * threads + tag;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 1 + tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, 1 + tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (in != out)
      abort();
  }
}

static void *run(void *argument) {
  const int tag = *(int *)argument;
  if (tag % 2 == 0) {
    MARK(first)
    exchange(tag);
    END_MARK
  } else {
    MARK(second)
    exchange(tag);
    END_MARK
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided, tags[threads];
  pthread_t running[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    abort();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < threads; ++i) {
    tags[i] = i;
    pthread_create(&running[i], NULL, run, &tags[i]);
  }
  for (int i = 0; i < threads; ++i)
    pthread_join(running[i], NULL);
  MPI_Finalize();
  return 0;
}
