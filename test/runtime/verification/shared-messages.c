// With SENDWRIGHT_VERIFY, the sharing of messages pauses now and then: at a collective call of all
// ranks, alike on all of them. In a pause, MPI carries the messages; otherwise none. Whatever is
// open at the calls, results are right and nobody hangs. Fails without pauses, if ranks pause at
// different calls, and if a pause begins or ends while a receive of it is open.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\n' | %write_plan plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o program %runtime
// RUN: env TEST_PLAN=plan SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=1 %mpirun 4 ./program plain 200 2>table
// RUN: %FileCheck %s --check-prefix=PLAIN < table
// PLAIN: program.c:{{[0-9]+}} (message-sharing){{ +}}{{120|200}} {{.*}} % (
// RUN: env TEST_PLAN=plan SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=1 SENDWRIGHT_VERIFY_TURN=1 %mpirun 4 ./program plain 120 2>table
// RUN: %FileCheck %s --check-prefix=PLAIN < table
// RUN: env TEST_PLAN=plan SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=1 SENDWRIGHT_VERIFY_TURN=1 %mpirun 4 ./program three-calls 80
// Receives that are open at every call: there is no pause.
// RUN: env TEST_PLAN=plan SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=1 SENDWRIGHT_VERIFY_TURN=1 %mpirun 4 ./program early 100 2>table
// RUN: %FileCheck %s --check-prefix=EARLY < table
// EARLY: program.c:{{[0-9]+}} (message-sharing){{ +}}100{{ +}}-{{ +}}-{{ +}}sharing paused in too few pairs of turns: it pauses at collective calls of all ranks at which no receive is open
// A receive of any source in a pause: it does not end.
// RUN: env TEST_PLAN=plan SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=1 SENDWRIGHT_VERIFY_TURN=1 %mpirun 4 ./program any-source 80
// Receives that are open at the calls in pauses alone, and messages that wait for their receive.
// RUN: env TEST_PLAN=plan SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_VERIFY=1 SENDWRIGHT_VERIFY_TURN=1 %mpirun 4 ./program crossing 100
// Without SENDWRIGHT_VERIFY:
// RUN: env TEST_PLAN=plan %mpirun 4 ./program off 20 2>err
// RUN: test ! -s err

#define _GNU_SOURCE
#include "../inputs/planned-loop.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 4 };

static int sent_by_mpi; /* messages of the loop that the runtime left to MPI */

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
  int (*const next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(
          RTLD_NEXT, "PMPI_Isend");
  sent_by_mpi += comm == MPI_COMM_WORLD && tag == 5;
  return next(buffer, count, type, to, tag, comm, request);
}

static const char *way;
static int executions;
static int is(const char *name) { return strcmp(way, name) == 0; }

static MPI_Request requests[2 * ranks];
static int out[ranks], in[ranks], count;

static void begin_receives(int execution) {
  const int any = is("any-source") && execution % 7 == 3;
  count = 0;
  for (int peer = 0; peer < ranks; ++peer)
    if (peer != my_rank())
      MPI_Irecv(&in[peer], 1, MPI_INT, any ? MPI_ANY_SOURCE : peer, 5, MPI_COMM_WORLD,
                &requests[count++]);
}

static int value_of(int execution, int from, int to) { return 1000 * execution + 10 * from + to; }

static void send_all(int execution) {
  sendwright_batch(loop);
  for (int peer = 0; peer < ranks; ++peer) {
    out[peer] = value_of(execution, my_rank(), peer);
    if (peer != my_rank())
      MPI_Isend(&out[peer], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[count++]);
  }
}

static void complete(int execution) {
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  if (is("any-source") && execution % 7 == 3)
    return;
  for (int peer = 0; peer < ranks; ++peer)
    EXPECT(peer == my_rank() || in[peer] == value_of(execution, peer, my_rank()));
}

static void sum(int times) {
  for (int time = 0; time < times; ++time) {
    int own = my_rank() + time, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all == 6 + ranks * time);
  }
}

static void expect_alike(int number) {
  int own[] = {number, -number}, most[2];
  MPI_Allreduce(own, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT(most[0] == -most[1]);
}

int main(int argc, char **argv) {
  int written = 0, changes = 0, before = 0;
  MPI_Init(&argc, &argv);
  way = argv[1];
  executions = atoi(argv[2]);
  if (is("early"))
    begin_receives(0);
  for (int execution = 0; execution < executions; ++execution) {
    /* In a pause only, so that it cannot end at the next call. */
    const int crosses = is("crossing") && before && execution % 3;
    sent_by_mpi = 0;
    if (!is("early"))
      begin_receives(execution);
    if (crosses)
      sum(1);
    send_all(execution);
    complete(execution);
    if (is("early") && execution + 1 < executions)
      begin_receives(execution + 1);
    const int now = sent_by_mpi;
    EXPECT(now == 0 || now == ranks - 1);
    written += now != 0;
    changes += (now != 0) != (before != 0);
    before = now;
    expect_alike(now);
    sum(is("three-calls") ? 2 : 0);
  }
  if (is("off") || is("early"))
    EXPECT(written == 0);
  else
    EXPECT(written > 0);
  if (is("plain") || is("three-calls")) {
    EXPECT(written > executions / 5 && written < executions * 2 / 3);
    EXPECT(changes >= 6);
  }
  MPI_Finalize();
}
