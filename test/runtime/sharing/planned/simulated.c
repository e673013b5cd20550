// Under SimGrid's SMPI messages are shared, too, and a waiting rank waits for whatever comes first:
// testing a request would take simulated time. A hub whose messages travel through others also
// receives from any source; the runtime carries all such messages, even from itself. Every way to
// wait gets the right messages and statuses. Fails when a receive from any source polls (the run
// takes as long as written), or where a wait for requests of MPI's passes nothing on (the line is
// missing).
//
// REQUIRES: smpicc
// RUN: awk 'BEGIN { print "ranks 16\nsite 1\nexchange 4x4 any-source=0"; \
// RUN:   for (to = 1; to < 16; ++to) print "message 0", to, "5\nmessage", to, "0 5" }' \
// RUN:   | %write_plan %t.plan
// RUN: %source_root/test/benchmark/testbed/smpi compile -DWITHOUT_LOG %s %planned_loop -o %t \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env TEST_PLAN=%t.plan SMPI_TIME=1 %source_root/test/benchmark/testbed/smpi run 16 \
// RUN:   %source_root/examples/platforms/infiniband.xml %t >%t.shared 2>%t.shared-time
// RUN: env SENDWRIGHT_DISABLE=1 SMPI_TIME=1 %source_root/test/benchmark/testbed/smpi run 16 \
// RUN:   %source_root/examples/platforms/infiniband.xml %t >%t.written 2>%t.written-time
// RUN: cmp %t.shared %t.written
// RUN: %FileCheck %s <%t.shared
// RUN: awk '{ seconds[NR] = $2 } END { exit !(NR == 2 && seconds[1] < 0.8 * seconds[2]) }' \
// RUN:   %t.shared-time %t.written-time
// CHECK: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 16, rounds = 60, large = 5000 };

static int rank;

static int value_of(int round, int from, int to) { return (round * 100 + from) * 100 + to; }

/* The hub and all others exchange a message in the loop, and wait in one of the ways. */
static void exchange(int round) {
  static int in[ranks], out[ranks];
  MPI_Request requests[2 * ranks];
  MPI_Status status, statuses[2 * ranks];
  int sources[2 * ranks], receives = 0, count = 0, first = rank == 0, last = rank == 0 ? ranks : 1;
  for (int peer = first; peer < last; ++peer, ++receives) {
    sources[count] = peer;
    MPI_Irecv(&in[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
  }
  {
    sendwright_batch(loop);
    for (int peer = first; peer < last; ++peer) {
      out[peer] = value_of(round, rank, peer);
      MPI_Isend(&out[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  if (round % 4 == 0) {
    MPI_Waitall(count, requests, statuses);
    for (int index = 0; index < receives; ++index)
      EXPECT(statuses[index].MPI_SOURCE == sources[index] && statuses[index].MPI_TAG == 5);
  } else if (round % 4 == 1) {
    for (int index = 0; index < count; ++index)
      MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
  } else {
    int seen = 0, index = 0, some = 0, indices[2 * ranks];
    while (index != MPI_UNDEFINED && some != MPI_UNDEFINED)
      if (round % 4 == 2) {
        MPI_Waitany(count, requests, &index, &status);
        seen += index != MPI_UNDEFINED;
        EXPECT(index == MPI_UNDEFINED || index >= receives || status.MPI_SOURCE == sources[index]);
      } else {
        MPI_Waitsome(count, requests, &some, indices, statuses);
        seen += some == MPI_UNDEFINED ? 0 : some;
      }
    EXPECT(seen == count);
  }
  for (int peer = first; peer < last; ++peer)
    EXPECT(in[peer] == value_of(round, peer, rank));
}

/* Every rank, the hub too, sends the hub a message, which the hub takes from any source; two of
 * them are too large to be copied. MPI carries what a rank gets from its neighbour. */
static void collect(int round) {
  static int mine[large], got[large], ring[2];
  MPI_Request requests[3];
  MPI_Status status;
  const int count = rank == 3 || rank == 9 ? large : 1;
  mine[0] = mine[count - 1] = value_of(round, rank, 0);
  ring[0] = rank;
  MPI_Irecv(&ring[1], 1, MPI_INT, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&ring[0], 1, MPI_INT, (rank + 1) % ranks, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(mine, count, MPI_INT, 0, 6, MPI_COMM_WORLD, &requests[2]);
  for (int from = 0, seen = 0, values; rank == 0 && from < ranks; ++from) {
    if (from == 4) {
      MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
      EXPECT(status.MPI_TAG == 6);
    }
    if (from % 2) {
      MPI_Request request;
      MPI_Irecv(got, large, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
    } else {
      MPI_Recv(got, large, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
    }
    MPI_Get_count(&status, MPI_INT, &values);
    EXPECT(values == (status.MPI_SOURCE == 3 || status.MPI_SOURCE == 9 ? large : 1));
    EXPECT(got[values - 1] == value_of(round, status.MPI_SOURCE, 0));
    seen |= 1 << status.MPI_SOURCE;
    EXPECT(from < ranks - 1 || seen == (1 << ranks) - 1);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  EXPECT(ring[1] == (rank + ranks - 1) % ranks);
}

/* Persistent requests; inactive ones are waited for together with the others. */
static void repeat(void) {
  int out = 0, in = 0, peer = rank == 0 ? 15 : 0, index = 0;
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank != 0 && rank != 15)
    return;
  MPI_Recv_init(&in, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < 4; ++round) {
    out = value_of(round, rank, peer);
    MPI_Startall(2, requests);
    if (round % 2)
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    else
      for (index = 0; index != MPI_UNDEFINED;)
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    EXPECT(in == value_of(round, peer, rank));
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  rank = my_rank();
  for (int round = 0; round < rounds; ++round) {
    exchange(round);
    collect(round);
  }
  repeat();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("done\n");
  MPI_Finalize();
}
