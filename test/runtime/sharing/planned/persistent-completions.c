// Persistent requests of shared messages beside requests of MPI's own (another communicator) and
// inactive ones, completed by each function that completes requests. For MPI the runtime's are
// never active, so a function that only asked MPI would call them complete too early, or never.
//
// RUN: printf 'ranks 3\nsite 1\norder * 0 1 2\nexchange direct\nmessages 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=30,abort %mpirun 3 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 3 %t

#include "../../inputs/planned-loop.h"

#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

/* Receives from both others, sends to both, a receive and a send of MPI's own, one that is never
 * started, and a null one. */
enum { receives = 2, sends = 2, others = 2, all = receives + sends + others + 2, large = 40000 };

static int rank, next, previous;
static MPI_Comm apart;
static int in[receives][large], out[large], own_in, own_out, never;

static void make(MPI_Request *requests, int length) {
  MPI_Recv_init(in[0], length, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in[1], length, MPI_INT, previous, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(out, length, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[2]);
  MPI_Send_init(out, length, MPI_INT, previous, 5, MPI_COMM_WORLD, &requests[3]);
  MPI_Recv_init(&own_in, 1, MPI_INT, previous, 6, apart, &requests[4]);
  MPI_Send_init(&own_out, 1, MPI_INT, next, 6, apart, &requests[5]);
  MPI_Recv_init(&never, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[6]);
  requests[7] = MPI_REQUEST_NULL;
}

static void start(MPI_Request *requests, int round, int length) {
  for (int place = 0; place < length; ++place)
    out[place] = 1000 * round + 10 * rank + place;
  own_out = 7 * round + rank;
  in[0][length - 1] = in[1][length - 1] = own_in = -1;
  sendwright_batch(loop);
  MPI_Startall(6, requests);
}

static void check_status(int index, const MPI_Status *status, int length) {
  int count = -1;
  if (index >= receives)
    return;
  MPI_Get_count(status, MPI_INT, &count);
  EXPECT(count == length);
  EXPECT(status->MPI_TAG == 5);
  EXPECT(status->MPI_SOURCE == (index == 0 ? next : previous));
}

static void complete(MPI_Request *requests, int way, int length) {
  MPI_Status statuses[all];
  int indices[all], done = 0, count = 0, index = 0;
  if (way == 0) {
    MPI_Waitall(all, requests, statuses);
    for (int which = 0; which < all; ++which)
      check_status(which, &statuses[which], length);
  } else if (way == 1) {
    for (int which = 0; which < all; ++which) {
      MPI_Wait(&requests[which], &statuses[0]);
      check_status(which, &statuses[0], length);
    }
  } else if (way == 2 || way == 3) {
    do {
      index = MPI_UNDEFINED;
      if (way == 2)
        MPI_Waitany(all, requests, &index, statuses);
      else
        do
          MPI_Testany(all, requests, &index, &done, statuses);
        while (!done);
      if (index != MPI_UNDEFINED)
        check_status(index, statuses, length);
      count += index != MPI_UNDEFINED;
    } while (index != MPI_UNDEFINED);
    EXPECT(count == 6);
  } else if (way == 4 || way == 5) {
    int completed = 0;
    do {
      if (way == 4)
        MPI_Waitsome(all, requests, &completed, indices, statuses);
      else
        MPI_Testsome(all, requests, &completed, indices, statuses);
      for (int which = 0; completed != MPI_UNDEFINED && which < completed; ++which)
        check_status(indices[which], &statuses[which], length);
      count += completed == MPI_UNDEFINED ? 0 : completed;
    } while (completed != MPI_UNDEFINED);
    EXPECT(count == 6);
  } else if (way == 6) {
    while (!done)
      MPI_Testall(all, requests, &done, statuses);
    for (int which = 0; which < all; ++which)
      check_status(which, &statuses[which], length);
  } else {
    for (int which = 0; which < all; ++which) {
      for (done = 0; !done;)
        MPI_Request_get_status(requests[which], &done, MPI_STATUS_IGNORE);
      for (done = 0; !done;)
        MPI_Test(&requests[which], &done, &statuses[0]);
      check_status(which, &statuses[0], length);
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  rank = my_rank();
  next = (rank + 1) % 3;
  previous = (rank + 2) % 3;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &apart);
  const int lengths[] = {1, 100, large};
  for (int which = 0; which < 3; ++which) {
    MPI_Request requests[all];
    const int length = lengths[which];
    make(requests, length);
    for (int round = 0; round < 24; ++round) {
      start(requests, round, length);
      complete(requests, round % 8, length);
      EXPECT(in[0][length - 1] == 1000 * round + 10 * next + length - 1);
      EXPECT(in[1][length - 1] == 1000 * round + 10 * previous + length - 1);
      EXPECT(own_in == 7 * round + previous);
    }
    for (int request = 0; request < all - 1; ++request)
      MPI_Request_free(&requests[request]);
  }
  MPI_Comm_free(&apart);
  MPI_Finalize();
}
