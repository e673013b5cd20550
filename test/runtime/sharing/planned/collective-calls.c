// Ranks share the messages of a loop between blocking collective calls, on the path of the plan and
// off it: a rank leaves executions out and enters the collective early, all begin more or fewer than
// before, the communicator of the calls changes. Results are right, nobody waits for long, and on the
// path members meet before few of the calls. Fails if they meet before each call, if a rank that
// leaves out an instance is waited for, or if a rank in a collective holds messages.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\n' | %write_plan %t.plan
// RUN: printf 'ranks 4\nsite 1\nexchange stages=2\nroute 0 3 5 0:1 1:3\nroute 3 0 5 0:1 1:0\nroute 1 0 5 1:0\nroute 1 3 5 1:3\n' | %write_plan %t.line
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t
// RUN: env TEST_PLAN=%t.line SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"
#include "../../inputs/counted-meetings.h"
#include "../../inputs/skipped-executions.h"

#include <dlfcn.h>

enum { large = 50000 };

static void sum(MPI_Comm communicator) {
  int own = my_rank() + number, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, communicator);
  EXPECT(all == ranks * (ranks - 1) / 2 + ranks * number);
}

/* A large message outside of the loop, whose receive is posted before a collective. */
static void send_large(void) {
  static int out[large], in[large];
  const int rank = my_rank(), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Request request;
  for (int index = 0; index < large; ++index)
    out[index] = rank + index + number;
  MPI_Irecv(in, large, MPI_INT, from, 5, MPI_COMM_WORLD, &request);
  if (rank % 2)
    MPI_Send(out, large, MPI_INT, to, 5, MPI_COMM_WORLD);
  sum(MPI_COMM_WORLD);
  if (rank % 2 == 0)
    MPI_Send(out, large, MPI_INT, to, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int index = 0; index < large; ++index)
    EXPECT(in[index] == from + index + number);
}

/* The plan knows of no receive from any source. After this members meet before every call. */
static void receive_from_any_source(void) {
  int value = my_rank();
  MPI_Request request = MPI_REQUEST_NULL;
  if (my_rank() == 0)
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &request);
  sum(MPI_COMM_WORLD);
  if (my_rank() == 1)
    MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(value == (my_rank() == 0 ? 1 : my_rank()));
}

/* An execution, a sum, another sum. */
static void iterate(int iterations) {
  for (int iteration = 0; iteration < iterations; ++iteration) {
    exchange(0);
    sum(MPI_COMM_WORLD);
    sum(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  MPI_Comm copy, half;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, my_rank(), &half);
  iterate(100);
  EXPECT(meetings < 30);
  for (int rank = 0; rank < ranks; ++rank) { /* left out while promised */
    exchange(1u << rank);
    sum(MPI_COMM_WORLD);
    sum(MPI_COMM_WORLD);
    iterate(10);
  }
  for (int rank = 0; rank < ranks; ++rank) { /* while members meet */
    exchange(1u << rank);
    exchange(0);
    sum(MPI_COMM_WORLD);
    MPI_Barrier(half);
    iterate(rank);
  }
  iterate(20);
  for (int times = 0; times < 5; ++times) /* more than promised */
    exchange(times % 2 ? 0 : 3);
  for (int times = 0; times < 5; ++times) /* fewer */
    sum(MPI_COMM_WORLD);
  iterate(15);
  send_large();
  iterate(15);
  for (int times = 0; times < 40; ++times) { /* elsewhere, with a root that leaves early */
    int value = times;
    exchange(times == 30 ? 4 : 0);
    MPI_Bcast(&value, 1, MPI_INT, times % ranks, copy);
    EXPECT(value == times);
  }
  MPI_Comm_free(&copy);
  iterate(12);
  if (my_rank() == 2) /* early, after leaving out the rest */
    sum(MPI_COMM_WORLD);
  for (int times = 0; times < 3; ++times)
    exchange(4);
  if (my_rank() != 2) {
    number -= 3;
    sum(MPI_COMM_WORLD);
    number += 3;
  }
  iterate(3);
  receive_from_any_source();
  const int before = meetings;
  iterate(60);
  EXPECT(meetings == 0 || meetings - before > 80);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
