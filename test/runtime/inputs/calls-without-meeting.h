/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For tests of ranks that share messages between blocking collective calls: iterations until members
 * enter these calls without meeting, and a count of the meetings. */

#ifndef TEST_RUNTIME_CALLS_WITHOUT_MEETING_H
#define TEST_RUNTIME_CALLS_WITHOUT_MEETING_H

#define _GNU_SOURCE
#include "planned-loop.h"
#include "counted-meetings.h"

#include <dlfcn.h>
#include <unistd.h>

enum { most_ranks = 4 };

PLANNED_LOOP(loop, 1, 0)

static int number;   /* of the execution, the same for all */

static inline int value_of(int from, int to) { return 1000 * number + 10 * from + to; }

/* An execution of the loop among the ranks whose bits `takes` has. */
static inline void exchange_among(unsigned takes) {
  const int rank = my_rank();
  int out[most_ranks], in[most_ranks], count = 0;
  MPI_Request requests[2 * most_ranks];
  ++number;
  if (!(takes >> rank & 1))
    return;
  for (int peer = 0; peer < most_ranks; ++peer)
    if (peer != rank && takes >> peer & 1)
      MPI_Irecv(&in[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < most_ranks; ++peer) {
      out[peer] = value_of(rank, peer);
      if (peer != rank && takes >> peer & 1)
        MPI_Isend(&out[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < most_ranks; ++peer)
    if (peer != rank && takes >> peer & 1)
      EXPECT(in[peer] == value_of(peer, rank));
}

static inline void sum(MPI_Comm communicator) {
  int own = 1, all = 0, size = 0;
  MPI_Comm_size(communicator, &size);
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, communicator);
  EXPECT(all == size);
}

static inline void iterate(int iterations) {
  for (int iteration = 0; iteration < iterations; ++iteration) {
    exchange_among(15);
    sum(MPI_COMM_WORLD);
  }
}

/* Until members have entered a call without meeting: they also enter the next that way. */
static inline void iterate_until_without_meeting(void) {
  for (int before = -1, iterations = 0; before != meetings; ++iterations) {
    EXPECT(iterations < 100);
    before = meetings;
    iterate(1);
  }
}

/* Others are inside the next call before this rank goes on: nothing tells a program so. */
static inline void enter_late(int rank) {
  if (my_rank() == rank)
    usleep(50000);
}

#endif
