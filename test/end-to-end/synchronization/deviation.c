/* A run that differs from its profile: more rounds, fewer, another tag on a single rank, another order. No
 * rank waits for one that will not come: the program prints what it would print anyway, and one line says
 * that synchronisation was given up. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Every rank sends to both neighbours in a ring before receiving. */
static int around(int rank, int ranks, int tag, int value) {
  int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks, sum = 0, in;
  MPI_Send(&value, 1, MPI_INT, left, tag, MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
  for (int k = 0; k < 2; k++) {
    MPI_Recv(&in, 1, MPI_INT, k ? left : right, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum = 3 * sum + in;
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank, ranks, value;
  const char *way = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  value = rank;
  int rounds = !strcmp(way, "more") ? 9 : !strcmp(way, "fewer") ? 3 : 6;
  for (int round = 0; round < rounds; round++) {
    if (!strcmp(way, "alone") && round == 3 && rank == 2) {
      int flag; /* two completions that the profile has not */
      MPI_Request request;
      MPI_Isend(&value, 1, MPI_INT, rank, 99, MPI_COMM_WORLD, &request);
      MPI_Recv(&flag, 1, MPI_INT, rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (!strcmp(way, "barrier") && round == 2)
      MPI_Barrier(MPI_COMM_WORLD);
    value = around(rank, ranks, !strcmp(way, "tag") && round > 3 ? 8 : 7, value) % 1000;
  }
  printf("rank %d: %d\n", rank, value);
  MPI_Finalize();
  return 0;
}

/* RUN: rm -rf %t && mkdir %t
 * RUN: %mpicc -O1 %s -o %t/original
 * RUN: %mpicc -O1 -g %generate %s -o %t/profiled %runtime
 * RUN: env SENDWRIGHT_PROFILE=%t/run.prof %mpirun 5 %t/profiled > %t/out
 * RUN: %sendwright plan %t/run.prof -o %t/component.plan --synchronize component > %t/said
 * RUN: %mpicc -O1 -g %use=%t/component.plan %s -o %t/component %runtime
 * RUN: %sendwright plan %t/run.prof -o %t/full.plan --synchronize full > %t/said
 * RUN: %mpicc -O1 -g %use=%t/full.plan %s -o %t/full %runtime
 *
 * As profiled: no word.
 * RUN: %mpirun 5 %t/original | sort > %t/expected
 * RUN: sh -c '%mpirun 5 %t/component 2> %t/err' | sort | cmp - %t/expected
 * RUN: sh -c '! grep sendwright %t/err'
 *
 * RUN: for way in more fewer alone barrier tag; do \
 * RUN:   %mpirun 5 %t/original $way | sort > %t/expected; \
 * RUN:   for kind in component full; do \
 * RUN:     echo "$way $kind"; \
 * RUN:     sh -c '%mpirun 5 '%t/$kind" $way 2>> %t/all.err" | sort | cmp - %t/expected || exit 1; \
 * RUN:   done; \
 * RUN: done
 * RUN: %FileCheck %s < %t/all.err
 * CHECK: sendwright: this run communicates differently from its profile (MPI_Send with rank 4, tag 7 where the profile has no further call): it continues without synchronisation, and may need more message buffers than planned
 */
