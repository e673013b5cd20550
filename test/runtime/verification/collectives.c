// With SENDWRIGHT_VERIFY, a loop that is a collective operation with a root takes turns: all ranks of
// the communicator carry out the plan's schedule, or all run the loop. An operation whose program
// also asks before and after it is always carried out. Results are right. Fails if ranks decide
// differently, or if the answers around an operation differ.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf 'ranks 4\nsite 1\ncollective broadcast bytes=40 binomial tree\nsite 2\ncollective all-to-all bytes=40 Bruck\n' | %write_plan plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o program %runtime
// RUN: env TEST_PLAN=plan SENDWRIGHT_VERIFY=1 %mpirun 4 ./program 80 >out 2>&1
// RUN: %FileCheck %s <out
// CHECK-NOT: sendwright: program.c
// CHECK: program.c:{{[0-9]+}} (collectives){{ +}}80{{.*}} % (
// CHECK-NOT: collectives
// RUN: env TEST_PLAN=plan %mpirun 4 ./program 20 always >out 2>&1
// RUN: test ! -s out

#include "../inputs/planned-loop.h"

#include "../../../runtime/include/sendwright/collectives.h"

#include <stdlib.h>

enum { ranks = 4, count = 10, tag = 7 };

PLANNED_LOOP(broadcast_loop, 1, 0)
PLANNED_LOOP(all_to_all_loop, 2, 0)

static int values[count], out[ranks][count], in[ranks][count];

/* Whether the schedule carried it out. */
static int broadcast(int rank, int execution) {
  int carried_out;
  for (int index = 0; index < count; ++index)
    values[index] = rank == 0 ? 100 * execution + index : -1;
  if (rank == 0) {
    carried_out = sendwright_broadcast(broadcast_loop, values, count, MPI_INT, 0, tag,
                                       MPI_COMM_WORLD, 1, ranks, 0);
    if (!carried_out)
      for (int to = 1; to < ranks; ++to)
        MPI_Send(values, count, MPI_INT, to, tag, MPI_COMM_WORLD);
  } else {
    carried_out = sendwright_broadcast(broadcast_loop, values, count, MPI_INT, 0, tag,
                                       MPI_COMM_WORLD, 1, ranks, 0);
    if (!carried_out)
      MPI_Recv(values, count, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int index = 0; index < count; ++index)
    EXPECT(values[index] == 100 * execution + index);
  return carried_out;
}

static void all_to_all(int rank, int execution) {
  for (int to = 0; to < ranks; ++to)
    for (int index = 0; index < count; ++index)
      out[to][index] = 1000 * execution + 100 * rank + 10 * to + index;
  EXPECT(sendwright_planned(all_to_all_loop, MPI_COMM_WORLD, 0, ranks));
  EXPECT(SENDWRIGHT_ALL_TO_ALL_OF(0, all_to_all_loop, out[0], out[1], count, MPI_INT, in[0], in[1],
                                  count, MPI_INT, tag, MPI_COMM_WORLD, 0, ranks));
  EXPECT(sendwright_planned(all_to_all_loop, MPI_COMM_WORLD, 0, ranks));
  for (int from = 0; from < ranks; ++from)
    for (int index = 0; index < count; ++index)
      EXPECT(from == rank ||
             in[from][index] == 1000 * execution + 100 * from + 10 * rank + index);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int executions = atoi(argv[1]), always = argc > 2;
  int planned = 0;
  for (int execution = 0; execution < executions; ++execution) {
    int carried_out = broadcast(my_rank(), execution) != 0, least = 0;
    MPI_Allreduce(&carried_out, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    EXPECT(least == carried_out);
    planned += carried_out;
    all_to_all(my_rank(), execution);
  }
  EXPECT(always ? planned == executions : 2 * planned == executions);
  MPI_Finalize();
}
