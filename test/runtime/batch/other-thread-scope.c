// At MPI_THREAD_FUNNELED only scopes of the thread that called MPI_Init count: what it sends while
// another thread has a scope open leaves at once. Fails when any thread's scope counts: the send is
// held.
//
// RUN: printf 'ranks 2\nsite 1\norder 0 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime -pthread
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

#include <pthread.h>

PLANNED_LOOP(loop, 1, 0)

static pthread_barrier_t meeting;

static void *communicate(void *unused) {
  int provided, value = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  pthread_barrier_wait(&meeting);
  pthread_barrier_wait(&meeting); // the scope is open
  if (my_rank() == 0) {
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    expect_log("send 1 ");
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&meeting, NULL, 2);
  pthread_create(&thread, NULL, communicate, NULL);
  pthread_barrier_wait(&meeting);
  { // higher on the stack than the other thread's, so that its address does not give it away
    sendwright_batch(loop);
    pthread_barrier_wait(&meeting);
    pthread_join(thread, NULL);
  }
}
