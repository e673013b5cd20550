// Persistent requests that were made while learning only watched: from the cut on they are the
// runtime's, and their messages are shared. In each mode all values are checked. Loops of
// MPI_Startall learn with collective calls between their executions and without; requests have
// datatypes that the program has freed, receive from any source, are completed in every way, and are
// freed and made again, before the cut and after it.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: for mode in sums quiet any-source one-by-one some tests renewed; do \
// RUN:   env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort \
// RUN:     %mpirun 6 %t $mode >%t.out 2>%t.said && grep -h "done: $mode\$" %t.out && \
// RUN:   grep -q "messages are shared from execution" %t.said || { cat %t.out %t.said; exit 1; }; \
// RUN: done
//
// Synchronous messages travel by no route, so nothing is shared.
//
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort \
// RUN:   %mpirun 6 %t synchronous | grep 'done: synchronous$'

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 6, most = 2 * ranks, width = 3, rounds = 240 };

static int in[ranks][2 * width], out[ranks][2 * width], rank, count;
static MPI_Request requests[most];
static const char *mode;

static int is(const char *name) { return strcmp(mode, name) == 0; }

static int value(int from, int to, int place, int round) { return 1000 * round + 100 * from + 10 * to + place; }

/* Every second element: the datatype is freed before the requests are used. */
static void make_requests(void) {
  MPI_Datatype strided;
  MPI_Type_vector(width, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  count = 0;
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      MPI_Recv_init(in[from], 1, strided, is("any-source") ? MPI_ANY_SOURCE : from, is("any-source") ? from : 7,
                    MPI_COMM_WORLD, &requests[count++]);
  for (int to = 0; to < ranks; ++to)
    if (to != rank) {
      const int tag = is("any-source") ? rank : 7;
      if (is("synchronous") && to == 0)
        MPI_Ssend_init(out[to], 1, strided, to, tag, MPI_COMM_WORLD, &requests[count++]);
      else
        MPI_Send_init(out[to], 1, strided, to, tag, MPI_COMM_WORLD, &requests[count++]);
    }
  MPI_Type_free(&strided);
}

static void free_requests(void) {
  for (int index = 0; index < count; ++index)
    MPI_Request_free(&requests[index]);
}

static void complete(void) {
  int index, flag = 0, some, indices[most];
  MPI_Status statuses[most];
  if (is("one-by-one")) {
    for (int place = 0; place < count; ++place) {
      MPI_Waitany(count, requests, &index, &statuses[0]);
      EXPECT(index != MPI_UNDEFINED);
    }
    MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
    EXPECT(index == MPI_UNDEFINED);
  } else if (is("some")) {
    for (int done = 0; done < count; done += some) {
      MPI_Waitsome(count, requests, &some, indices, MPI_STATUSES_IGNORE);
      EXPECT(some != MPI_UNDEFINED);
    }
  } else if (is("tests")) {
    while (!flag)
      MPI_Testall(count, requests, &flag, statuses);
  } else {
    MPI_Waitall(count, requests, statuses);
    EXPECT(is("any-source") || statuses[0].MPI_SOURCE == (rank == 0 ? 1 : 0));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  mode = argc > 1 ? argv[1] : "sums";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make_requests();
  for (int round = 0; round < rounds; ++round) {
    if (is("renewed") && (round == 5 || round == 150)) {
      free_requests();
      make_requests();
    }
    for (int to = 0; to < ranks; ++to)
      for (int place = 0; place < width; ++place)
        out[to][2 * place] = value(rank, to, place, round);
    {
      sendwright_batch(loop);
      MPI_Startall(count, requests);
    }
    complete();
    for (int from = 0; from < ranks; ++from)
      for (int place = 0; from != rank && place < width; ++place)
        EXPECT(in[from][2 * place] == value(from, rank, place, round));
    if (!is("quiet")) {
      int sum = 0;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      EXPECT(sum == ranks * (ranks - 1) / 2);
    }
  }
  free_requests();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("done: %s\n", mode);
  MPI_Finalize();
}
