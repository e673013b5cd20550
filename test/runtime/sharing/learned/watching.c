// While nothing is worth sharing a run that learns only watches: MPI carries the program's messages
// and its requests are MPI's. It changes to the runtime's messages where what was sent has its
// receives: at a collective call, or at an execution of a loop without calls. Before this come
// receives from any source and of any tag, probes, persistent requests and synchronous messages;
// and a receive for which its message comes late keeps the ranks watching. Fails if messages are
// carried by the runtime without need, if ranks never change, or if a message is lost.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// RUN: env SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 4 %t without-calls >%t.out 2>&1
// RUN: %FileCheck %s <%t.out
// CHECK: mixed
// CHECK-NOT: shared from
// CHECK: pending
// CHECK: program.c:{{[0-9]+}}: messages are shared from execution
// CHECK: done

#define _GNU_SOURCE
#include "../../inputs/planned-loop.h"

#include <dlfcn.h>
#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4, program_tag = 7 };

static int carried_by_mpi;

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
               MPI_Comm communicator, MPI_Request *request) {
  int (*const next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(
          RTLD_NEXT, "PMPI_Isend");
  carried_by_mpi += tag == program_tag;
  return next(buffer, count, type, to, tag, communicator, request);
}

static int value_of(int round, int from, int to) { return 100 * round + 10 * from + to; }

static void exchange(int round) {
  const int rank = my_rank();
  int out[ranks], in[ranks], count = 0;
  MPI_Request requests[2 * ranks];
  for (int from = 0; from < ranks; ++from)
    if (from != rank)
      MPI_Irecv(&in[from], 1, MPI_INT, from, program_tag, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int to = 0; to < ranks; ++to) {
      out[to] = value_of(round, rank, to);
      if (to != rank)
        MPI_Isend(&out[to], 1, MPI_INT, to, program_tag, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int from = 0; from < ranks; ++from)
    EXPECT(from == rank || in[from] == value_of(round, from, rank));
}

/* Sends to the next rank, and receives from the previous one in many ways. */
static void mix(int round) {
  const int rank = my_rank(), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  int out = value_of(round, rank, to), in[8] = {0}, flag = 0, index, done;
  MPI_Request requests[4], persistent[2];
  MPI_Status status;
  MPI_Message message;

  MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(&out, 1, MPI_INT, to, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Issend(&out, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitany(1, &requests[0], &index, MPI_STATUS_IGNORE);
  while (!flag)
    MPI_Testsome(1, &requests[1], &flag, &index, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE);

  MPI_Isend(&out, 1, MPI_INT, to, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
  EXPECT(status.MPI_SOURCE == from);
  MPI_Recv(&in[2], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  MPI_Isend(&out, 1, MPI_INT, to, 4, MPI_COMM_WORLD, &requests[0]);
  if (round % 2)
    MPI_Mprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  else
    for (done = 0; !done;)
      MPI_Improbe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &done, &message, &status);
  MPI_Mrecv(&in[3], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

  MPI_Recv_init(&in[4], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &persistent[0]);
  MPI_Send_init(&out, 1, MPI_INT, to, 5, MPI_COMM_WORLD, &persistent[1]);
  for (int time = 0; time < 2; ++time) {
    MPI_Startall(2, persistent);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&persistent[0]);
  MPI_Request_free(&persistent[1]);

  MPI_Sendrecv(&out, 1, MPI_INT, to, 6, &in[5], 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  in[6] = out;
  MPI_Sendrecv_replace(&in[6], 1, MPI_INT, to, 6, from, MPI_ANY_TAG, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  for (int way = 0; way < 7; ++way)
    EXPECT(in[way] == value_of(round, from, rank));
}

static void say(const char *text) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0)
    fprintf(stderr, "%s\n", text);
}

/* The message of a receive that is posted before comes after many executions and calls. */
static void wait_long(void) {
  const int rank = my_rank(), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  int in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, from, 9, MPI_COMM_WORLD, &request);
  for (int round = 0; round < 20; ++round) {
    carried_by_mpi = 0;
    exchange(round);
    EXPECT(carried_by_mpi == ranks - 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  say("pending");
  MPI_Ssend(&rank, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(in == from);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == ranks);
  for (int round = 0; round < 3; ++round)
    mix(round);
  say("mixed");
  wait_long();
  for (int round = 0; round < 120; ++round) {
    exchange(round);
    if (argc < 2)
      MPI_Barrier(MPI_COMM_WORLD);
    if (round % 50 == 49)
      mix(round);
  }
  say("done");
  MPI_Finalize();
}
