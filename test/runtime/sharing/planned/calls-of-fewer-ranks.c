// The ranks of an exchange are members of a communicator that lacks a rank of the world. They make
// their calls first on the world, where ranks come to know what to expect, then on that communicator,
// then on the world again. The rank that it lacks goes on to expect calls on the world. Fails if
// that rank enters one without a meeting for which the others wait.
//
// RUN: printf 'ranks 5\nsite 1\nexchange 2x2 instance=0 members=0,1,2,3\nmessages 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 5 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 5 %t

#include "../../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 5, sharing = 4 };

static MPI_Comm fewer; /* lacks the last rank */

static void exchange(int round) {
  const int rank = my_rank();
  int out[sharing], in[sharing], count = 0;
  MPI_Request requests[2 * sharing];
  if (rank >= sharing)
    return;
  for (int from = 0; from < sharing; ++from)
    if (from != rank)
      MPI_Irecv(&in[from], 1, MPI_INT, from, 5, fewer, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int to = 0; to < sharing; ++to) {
      out[to] = 100 * round + 10 * rank + to;
      if (to != rank)
        MPI_Isend(&out[to], 1, MPI_INT, to, 5, fewer, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < sharing; ++from)
    EXPECT(from == rank || in[from] == 100 * round + 10 * from + rank);
}

static void sum(MPI_Comm communicator, int size) {
  int own = my_rank(), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, communicator);
  EXPECT(all == size * (size - 1) / 2);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  const int rank = my_rank();
  int round = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank < sharing ? 0 : MPI_UNDEFINED, rank, &fewer);
  for (int time = 0; time < 3; ++time) {
    for (int call = 0; call < 24; ++call) {
      exchange(++round);
      sum(MPI_COMM_WORLD, ranks);
    }
    for (int call = 0; call < 9 && rank < sharing; ++call) {
      exchange(++round);
      sum(fewer, sharing);
    }
  }
  if (rank < sharing)
    MPI_Comm_free(&fewer);
  for (int call = 0; call < 9; ++call)
    sum(MPI_COMM_WORLD, ranks);
  MPI_Finalize();
}
