// The messages of a planned exchange travel by route and arrive as they would otherwise: directly,
// through grids of two and three dimensions, with absent messages, several with one tag, unplanned
// messages, and receives of every kind. A routed message never reaches the program's communicator.
// Fails without the sharing of messages: the log of sends is not empty.
//
// RUN: printf 'ranks 8\nsite 1\nexchange direct\nmessages 5 6\n' | %write_plan %t.direct
// RUN: printf 'ranks 8\nsite 1\nexchange 2x4\nmessages 5 6\n' | %write_plan %t.plane
// RUN: printf 'ranks 8\nsite 1\nexchange 2x2x2\nmessages 5 6\n' | %write_plan %t.cube
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.direct %mpirun 8 %t
// RUN: env TEST_PLAN=%t.plane %mpirun 8 %t
// RUN: env TEST_PLAN=%t.cube %mpirun 8 %t
// RUN: env TEST_PLAN=%t.cube SENDWRIGHT_DISABLE=1 %mpirun 8 %t disabled

#include "../../inputs/planned-loop.h"

#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 8, most = 40000 };

/* How much rank `from` sends rank `to` in an instance, with tag 5; 0: nothing. */
static int length(int from, int to, int instance) {
  return (from * 7 + to * 3 + instance) % 5 == 0 ? 0
                                                 : (from * 977 + to * 131 + instance * 7919) % most;
}

static void check(const int *values, int count, int from, int instance, const MPI_Status *status) {
  int received;
  MPI_Get_count(status, MPI_INT, &received);
  EXPECT(received == count && status->MPI_SOURCE == from && status->MPI_TAG == 5);
  for (int index = 0; index < count; ++index)
    EXPECT(values[index] == from * 1000000 + instance * 100 + index % 100);
}

static void instance(int number, int disabled) {
  int rank = my_rank(), sends = 0;
  int *outgoing = malloc(sizeof(int) * ranks * most),
      *incoming = malloc(sizeof(int) * ranks * most);
  MPI_Request requests[2 * ranks], receives[ranks];
  int second = 1000 + rank;
  clear_log();
  for (int peer = 0; peer < ranks; ++peer) {
    receives[peer] = MPI_REQUEST_NULL;
    if (peer != rank && length(peer, rank, number) && peer % 2)
      MPI_Irecv(incoming + peer * most, most, MPI_INT, peer, 5, MPI_COMM_WORLD, &receives[peer]);
  }
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < ranks; ++peer) {
      int count = length(rank, peer, number), *from = outgoing + peer * most;
      if (peer == rank)
        continue;
      for (int index = 0; index < count; ++index)
        from[index] = rank * 1000000 + number * 100 + index % 100;
      if (count)
        MPI_Isend(from, count, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[sends++]);
      if (number % 3 == 0)
        MPI_Isend(&second, 1, MPI_INT, peer, 6, MPI_COMM_WORLD, &requests[sends++]);
    }
  }
  if (!disabled)
    EXPECT(strstr(issue_log, "start") == NULL);
  for (int peer = 0; peer < ranks; ++peer) {
    MPI_Status status;
    int count = length(peer, rank, number), value = 0;
    if (peer == rank)
      continue;
    if (number % 3 == 0) {
      MPI_Recv(&value, 1, MPI_INT, peer, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(value == 1000 + peer);
    }
    if (!count)
      continue;
    if (receives[peer] != MPI_REQUEST_NULL)
      MPI_Wait(&receives[peer], &status);
    else
      MPI_Recv(incoming + peer * most, most, MPI_INT, peer, 5, MPI_COMM_WORLD, &status);
    EXPECT(receives[peer] == MPI_REQUEST_NULL);
    check(incoming + peer * most, count, peer, number, &status);
  }
  MPI_Waitall(sends, requests, MPI_STATUSES_IGNORE);
  for (int index = 0; index < sends; ++index)
    EXPECT(requests[index] == MPI_REQUEST_NULL);
  /* Unplanned messages to planned and to other ranks: with their own tag, direct and synchronous.
   */
  int value = -1, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 9, &value, 1, MPI_INT, before, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(value == before);
  free(outgoing);
  free(incoming);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int number = 0; number < 20; ++number)
    instance(number, argc > 1);
  MPI_Finalize();
}
