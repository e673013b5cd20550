// A plan that shares the messages of a loop on 4 ranks lets that loop learn on other numbers of
// ranks, by the machine of the plan, and no other loop. One line says so. SENDWRIGHT_ADAPT=0 leaves
// all loops as written. Fails if the loop of the plan does not come to share, or if nothing is said.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessages 5\nsite 3\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json \
// RUN:   SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck -DRANKS=6 --check-prefixes=SAID,SHARED %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json \
// RUN:   SENDWRIGHT_ADAPT_MEASURE=0 SENDWRIGHT_WATCHDOG=20,abort %mpirun 8 %t >%t.out 2>&1
// RUN: %FileCheck -DRANKS=8 --check-prefixes=SAID,SHARED %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_WATCHDOG=20,abort %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck -DRANKS=6 --check-prefix=SAID %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=0 %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=OFF %s <%t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=%t.missing %mpirun 6 %t >%t.out 2>&1
// RUN: %FileCheck --check-prefix=MACHINE %s <%t.out
// SAID: sendwright: the plan in program.c is for 4 ranks, but this run has [[RANKS]]: its loops that share messages (1)
// SAID-SAME: learn what they send, and share from then on; SENDWRIGHT_ADAPT=0 leaves them as written
// SAID-NOT: plan in program.c
// SHARED-DAG: program.c:{{[0-9]+}}: messages are shared from execution
// SHARED-DAG: {{^}}done
// OFF-NOT: sendwright:
// OFF: sendwright: the plan in program.c is for 4 ranks, but this run has 6 (SENDWRIGHT_ADAPT is 0): loops run as
// OFF-SAME: written
// OFF-NOT: sendwright:
// MACHINE-DAG: sendwright: the plan in program.c is for 4 ranks, but this run has 6 ({{.*}}.missing: {{.*}}): loops run as written
// MACHINE-DAG: {{^}}done

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(planned, 1, 0)
PLANNED_LOOP(unplanned, 2, 0)
PLANNED_LOOP(ordered, 3, 0)

enum { most = 16 };

#define EXCHANGE(LOOP, TAG)                                                                        \
  do {                                                                                             \
    int rank = my_rank(), size = rank_count(), out[most], in[most], count = 0;                     \
    MPI_Request requests[2 * most];                                                                \
    for (int step = 1; step < size; ++step)                                                        \
      MPI_Irecv(&in[step], 1, MPI_INT, (rank + size - step) % size, TAG, MPI_COMM_WORLD,           \
                &requests[count++]);                                                               \
    {                                                                                              \
      sendwright_batch(LOOP);                                                                      \
      for (int step = 1; step < size; ++step) {                                                    \
        out[step] = 1000 * round + 10 * rank + step;                                               \
        MPI_Isend(&out[step], 1, MPI_INT, (rank + step) % size, TAG, MPI_COMM_WORLD,               \
                  &requests[count++]);                                                             \
      }                                                                                            \
    }                                                                                              \
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);                                             \
    for (int step = 1; step < size; ++step)                                                        \
      EXPECT(in[step] == 1000 * round + 10 * ((rank + size - step) % size) + step);                \
  } while (0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 60; ++round) {
    EXCHANGE(planned, 5);
    EXCHANGE(unplanned, 6);
    EXCHANGE(ordered, 7);
  }
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
