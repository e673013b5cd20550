// A rank through which messages pass waits in blocking calls that other ranks enter only after they
// got these messages: collectives of both sides of an intercommunicator, its merge, and
// MPI_Comm_disconnect. Fails if the rank enters before all members have come.
//
// RUN: printf 'ranks 4\nsite 1\nexchange stages=2\nroute 0 3 5 0:1 1:3\nroute 3 0 5 0:1 1:0\nroute 1 0 5 1:0\nroute 1 3 5 1:3\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t

#include "../../inputs/calls-without-meeting.h"

/* Rank 1 sends its part; the others exchange their messages later, through it. */
static void exchange_through_a_rank_that_goes_on(void) {
  const int rank = my_rank();
  int out[most_ranks], in[most_ranks], count = 0;
  MPI_Request requests[2 * most_ranks];
  ++number;
  if (rank == 2)
    return;
  if (rank != 1)
    usleep(50000);
  for (int peer = 0; peer < most_ranks && rank != 1; ++peer)
    if (peer != rank && peer != 2)
      MPI_Irecv(&in[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < most_ranks; ++peer) {
      out[peer] = value_of(rank, peer);
      if (peer != rank && peer != 2 && peer != 1)
        MPI_Isend(&out[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < most_ranks && rank != 1; ++peer)
    if (peer != rank && peer != 2)
      EXPECT(in[peer] == value_of(peer, rank));
}

int main(int argc, char **argv) {
  const int only = argc > 1 ? argv[1][0] - '0' : -1;
  MPI_Comm side, both, merged, half;
  MPI_Init(&argc, &argv);
  const int alone = my_rank() == 2;
  MPI_Comm_split(MPI_COMM_WORLD, alone, my_rank(), &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, alone ? 0 : 2, 3, &both);
  MPI_Comm_dup(side, &half);
  for (int which = 0; which < 3; ++which) {
    if (only >= 0 && only != which)
      continue;
    exchange_through_a_rank_that_goes_on();
    if (which == 0)
      MPI_Barrier(both);
    if (which == 1) {
      MPI_Intercomm_merge(both, alone, &merged);
      MPI_Comm_free(&merged);
    }
    if (which == 2)
      MPI_Comm_disconnect(&half);
  }
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
  MPI_Finalize();
  return 0;
}
