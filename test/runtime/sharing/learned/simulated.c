// Under SimGrid's SMPI a plan of 8 ranks serves 27: after some executions its loop shares messages,
// and takes less time than as written. A plan of 27 ranks with other messages is given up, and the
// loop learns. Fails if it takes as long as written, or if results differ.
//
// REQUIRES: smpicc
// RUN: printf 'ranks 8\nsite 1\nexchange 2x4\nmessages 5\n' | %write_plan %t.plan
// RUN: awk 'BEGIN { print "ranks 27\nsite 1\nexchange 3x9"; \
// RUN:   for (rank = 0; rank < 26; rank += 2) print "message", rank, rank + 1, "6\nmessage", rank + 1, rank, "6" }' \
// RUN:   | %write_plan %t.other
// RUN: %source_root/test/benchmark/testbed/smpi compile -DWITHOUT_LOG %s %planned_loop -o %t \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_ADAPT=%source_root/examples/platforms/infiniband.json \
// RUN:   SMPI_TIME=1 %source_root/test/benchmark/testbed/smpi run 27 \
// RUN:   %source_root/examples/platforms/infiniband.xml %t >%t.shared 2>%t.shared-time
// RUN: env TEST_PLAN=%t.other SENDWRIGHT_ADAPT=%source_root/examples/platforms/infiniband.json \
// RUN:   SMPI_TIME=1 %source_root/test/benchmark/testbed/smpi run 27 \
// RUN:   %source_root/examples/platforms/infiniband.xml %t >%t.replaced 2>%t.replaced-time
// RUN: env SENDWRIGHT_DISABLE=1 SMPI_TIME=1 %source_root/test/benchmark/testbed/smpi run 27 \
// RUN:   %source_root/examples/platforms/infiniband.xml %t >%t.written 2>%t.written-time
// RUN: cmp %t.shared %t.written
// RUN: cmp %t.replaced %t.written
// RUN: %FileCheck --check-prefix=OTHER %s <%t.shared-time
// RUN: %FileCheck --check-prefix=REPLACED %s <%t.replaced-time
// RUN: grep -h '^simulated' %t.shared-time %t.replaced-time %t.written-time >%t.times
// RUN: awk '{ seconds[NR] = $2 } END { exit !(NR == 3 && seconds[1] < 0.8 * seconds[3] && \
// RUN:   seconds[2] < 0.9 * seconds[3]) }' %t.times
// OTHER: the plan in program.c is for 8 ranks, but this run has 27: its loops that share messages (1) learn
// OTHER: messages are shared from execution
// REPLACED: no loop's messages are those of the plan in program.c: from here on these loops learn
// REPLACED: messages are shared from execution

#include "../../inputs/planned-loop.h"

#include <stdio.h>

PLANNED_LOOP(loop, 1, 0)

enum { ranks = 27, rounds = 120 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2 * ranks];
    int in[ranks], out[ranks], count = 0;
    for (int step = 1; step < ranks; ++step)
      MPI_Irecv(&in[step], 1, MPI_INT, (rank + ranks - step) % ranks, 5, MPI_COMM_WORLD, &requests[count++]);
    {
      sendwright_batch(loop);
      for (int step = 1; step < ranks; ++step) {
        out[step] = 100 * round + rank + step;
        MPI_Isend(&out[step], 1, MPI_INT, (rank + step) % ranks, 5, MPI_COMM_WORLD, &requests[count++]);
      }
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    int own = 0;
    for (int step = 1; step < ranks; ++step)
      own += in[step] * step;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
      printf("%d\n", sum);
  }
  MPI_Finalize();
}
