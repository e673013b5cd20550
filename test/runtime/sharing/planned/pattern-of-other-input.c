// A plan for another pattern of the same loop: most of what the loop sends is not the plan's. The
// ranks find that out at a collective call, and give the plan's routes up. As soon as nothing of
// MPI's is under way, the loop learns, and shares its own messages. With SENDWRIGHT_ADAPT=0 they go
// directly. A loop that sends the plan's messages goes on sharing, also if it sends more than these.
// Fails if combined messages of the plan go on, if the loop does not learn, or if a message is lost
// on the way.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: printf 'ranks 6\nsite 1\nexchange 2x3\nmessage 0 1 6\nmessage 1 0 6\nmessage 2 3 6\n' >%t.words
// RUN: printf 'message 3 2 6\nmessage 4 5 6\nmessage 5 4 6\n' >>%t.words
// RUN: %write_plan %t.plan <%t.words
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_ADAPT_MEASURE=0 \
// RUN:   SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=LEARNS %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=0 SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=OFF %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t any-source >%t.out 2>&1
// RUN: %FileCheck --check-prefix=UNKNOWN %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t under-way >%t.out 2>&1
// RUN: %FileCheck --check-prefix=UNKNOWN %s <%t.out
// RUN: sed 's/ 6$/ 5/' %t.words | sed 's/ranks 5/ranks 6/' | %write_plan %t.plan
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t fits >%t.out 2>&1
// RUN: %FileCheck --check-prefix=FITS %s <%t.out
// LEARNS: sendwright: program.c:1: most messages are not those of the plan: the plan is no longer followed there
// LEARNS: sendwright: no loop's messages are those of the plan in program.c: from here on these loops
// LEARNS-SAME: learn what they send; SENDWRIGHT_ADAPT=0 leaves them as written
// LEARNS: program.c:{{[0-9]+}}: messages are shared from execution
// LEARNS: done
// OFF: sendwright: no loop's messages are those of the plan in program.c: they go directly from here on,
// OFF-SAME: and the loops do not learn (SENDWRIGHT_ADAPT is 0)
// OFF: done
// UNKNOWN: sendwright: no loop's messages are those of the plan in program.c: they go directly from here
// UNKNOWN-SAME: on, and the loops do not learn (messages that MPI carries may still be under way)
// UNKNOWN-NOT: shared
// UNKNOWN: done
// FITS-NOT: sendwright:
// FITS: done

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <string.h>

PLANNED_LOOP(loop, 1, 0)

enum { most = 16 };

static void exchange(int round) {
  int rank = my_rank(), size = rank_count(), out[most], in[most], count = 0;
  MPI_Request requests[2 * most];
  for (int step = 1; step < size; ++step)
    MPI_Irecv(&in[step], 1, MPI_INT, (rank + size - step) % size, 5, MPI_COMM_WORLD, &requests[count++]);
  {
    sendwright_batch(loop);
    for (int step = 1; step < size; ++step) {
      out[step] = 1000 * round + 10 * rank + step;
      MPI_Isend(&out[step], 1, MPI_INT, (rank + step) % size, 5, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int step = 1; step < size; ++step)
    EXPECT(in[step] == 1000 * round + 10 * ((rank + size - step) % size) + step);
}

/* From the next rank to this one, in the order of sending, before or after calls of the world. */
static void pass_on(int value, int source) {
  int got = -1, rank = my_rank(), size = rank_count();
  MPI_Request request;
  MPI_Isend(&value, 1, MPI_INT, (rank + size - 1) % size, 8, MPI_COMM_WORLD, &request);
  MPI_Recv(&got, 1, MPI_INT, source, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(got == value);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == 6);
  const char *how = argc > 1 ? argv[1] : "";
  int sum = 0, one = 1, rank = my_rank(), late = -1;
  MPI_Request lasting;
  if (strcmp(how, "under-way") == 0) /* received at the end */
    MPI_Isend(&rank, 1, MPI_INT, (rank + 2) % 6, 9, MPI_COMM_WORLD, &lasting);
  for (int round = 0; round < 120; ++round) {
    exchange(round);
    if (strcmp(how, "any-source") == 0)
      pass_on(round, MPI_ANY_SOURCE);
    else if (round % 3 == 0)
      pass_on(round, (rank + 1) % 6);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == 6);
  }
  if (strcmp(how, "under-way") == 0) {
    MPI_Recv(&late, 1, MPI_INT, (rank + 4) % 6, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(late == (rank + 4) % 6);
    MPI_Wait(&lasting, MPI_STATUS_IGNORE);
  }
  if (rank == 0)
    printf("done\n");
  MPI_Finalize();
}
