/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop of 4 ranks in which each sends a number to each other, and checks what it gets. Any of them
 * may leave an execution out. Include it behind planned-loop.h. */

#ifndef TEST_RUNTIME_SKIPPED_EXECUTIONS_H
#define TEST_RUNTIME_SKIPPED_EXECUTIONS_H

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4 };

static int number; /* of the execution, the same for all */

static int value_of(int from, int to) { return 1000 * number + 10 * from + to; }

/* Ranks of which `skips` has the bit send nothing, and receive nothing. */
static void exchange(unsigned skips) {
  const int rank = my_rank();
  int out[ranks], in[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  ++number;
  if (skips >> rank & 1)
    return;
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != rank && !(skips >> peer & 1))
      MPI_Irecv(&in[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < ranks; ++peer) {
      out[peer] = value_of(rank, peer);
      if (peer != rank && !(skips >> peer & 1))
        MPI_Isend(&out[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != rank && !(skips >> peer & 1))
      EXPECT(in[peer] == value_of(peer, rank));
}

#endif
