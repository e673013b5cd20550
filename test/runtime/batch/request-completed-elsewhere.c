// Requests of captured sends are copied into a structure and completed in another function, long
// after the loop, together with receives, a persistent request and null handles, in every way.
// Fails when a completing call leaves a captured request's handle: the program then waits for it
// again, or frees it, or counts it.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { peers = 4, all = 2 * peers + 2 };

struct exchange {
  MPI_Request requests[all];
  int sent[peers], received[peers];
};

static void begin(struct exchange *exchange) {
  MPI_Request made[peers];
  for (int peer = 0; peer < peers; ++peer) {
    exchange->sent[peer] = 10 * my_rank() + peer;
    MPI_Irecv(&exchange->received[peer], 1, MPI_INT, peer, 0, MPI_COMM_WORLD,
              &exchange->requests[2 * peer]);
  }
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < peers; ++peer)
      MPI_Isend(&exchange->sent[peer], 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &made[peer]);
  }
  for (int peer = 0; peer < peers; ++peer)
    exchange->requests[2 * peer + 1] = made[peer];
  exchange->requests[all - 2] = MPI_REQUEST_NULL;
  MPI_Recv_init(exchange->received, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                &exchange->requests[all - 1]);
}

static void one_by_one(MPI_Request *requests, int test) {
  int seen[all] = {0}, index, flag;
  for (int done = 0; done < 2 * peers;) {
    MPI_Status status;
    flag = 1;
    if (test)
      MPI_Testany(all, requests, &index, &flag, &status);
    else
      MPI_Waitany(all, requests, &index, &status);
    if (!flag)
      continue;
    EXPECT(index >= 0 && index < 2 * peers && !seen[index]);
    EXPECT(requests[index] == MPI_REQUEST_NULL);
    seen[index] = 1;
    ++done;
  }
  MPI_Waitany(all, requests, &index, MPI_STATUS_IGNORE);
  EXPECT(index == MPI_UNDEFINED);
}

static void some_by_some(MPI_Request *requests, int test) {
  int seen[all] = {0}, count, indices[all];
  MPI_Status statuses[all];
  for (int done = 0; done < 2 * peers; done += count) {
    if (test)
      MPI_Testsome(all, requests, &count, indices, statuses);
    else
      MPI_Waitsome(all, requests, &count, indices, statuses);
    EXPECT(count != MPI_UNDEFINED);
    for (int which = 0; which < count; ++which)
      EXPECT(seen[indices[which]]++ == 0 && requests[indices[which]] == MPI_REQUEST_NULL);
  }
  MPI_Waitsome(all, requests, &count, indices, MPI_STATUSES_IGNORE);
  EXPECT(count == MPI_UNDEFINED);
}

static void finish(struct exchange *exchange, int how) {
  int flag = 0;
  switch (how) {
  case 0:
    MPI_Waitall(all, exchange->requests, MPI_STATUSES_IGNORE);
    break;
  case 1:
    while (!flag)
      MPI_Testall(all, exchange->requests, &flag, MPI_STATUSES_IGNORE);
    break;
  case 2:
  case 3:
    one_by_one(exchange->requests, how == 3);
    break;
  case 4:
  case 5:
    some_by_some(exchange->requests, how == 5);
    break;
  case 6:
    for (int index = 0; index < all; ++index)
      MPI_Wait(&exchange->requests[index], MPI_STATUS_IGNORE);
    break;
  }
  MPI_Request_free(&exchange->requests[all - 1]);
  for (int index = 0; index < all; ++index)
    EXPECT(exchange->requests[index] == MPI_REQUEST_NULL);
  for (int peer = 0; peer < peers; ++peer)
    EXPECT(exchange->received[peer] == 10 * peer + my_rank());
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  struct exchange exchanges[7];
  for (int how = 0; how < 7; ++how)
    begin(&exchanges[how]);
  for (int how = 6; how >= 0; --how)
    finish(&exchanges[how], how);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
