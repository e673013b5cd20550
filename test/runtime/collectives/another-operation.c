// A plan that has an allgather where the program has an all-to-all, and the reverse: the program
// was told that the operation would be carried out, and has posted nothing; so it is carried out,
// and one line says how. Fails when the call is then left to the loop.
//
// RUN: printf 'ranks 3\nsite 1\ncollective allgather bytes=40 ring\nsite 2\ncollective all-to-all bytes=100000 Bruck\nsite 3\ncollective all-to-all bytes=40 MPI_Alltoall\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 3 %t >%t.out 2>&1 || { cat %t.out; false; }
// RUN: %FileCheck %s <%t.out
// CHECK: sendwright: the plan has an allgather at program.c:1, where the program has an all-to-all: each rank sends to every other
// CHECK: sendwright: the plan has an all-to-all at program.c:1, where the program has an allgather: each rank sends to every other
// CHECK-NOT: sendwright:

#include "../inputs/planned-loop.h"

#include "../../../runtime/include/sendwright/collectives.h"

enum { ranks = 3, most = 25000, tag = 7 };

PLANNED_LOOP(first_loop, 1, 0)
PLANNED_LOOP(second_loop, 2, 0)
PLANNED_LOOP(third_loop, 3, 0)

static int out[ranks][most], in[ranks][most];

static void fill(int rank, int count) {
  for (int to = 0; to < ranks; ++to)
    for (int index = 0; index < count; ++index) {
      out[to][index] = 100 * rank + 10 * to + index;
      in[to][index] = -1;
    }
}

static void all_to_all(struct sendwright_site *site, int rank, int count) {
  fill(rank, count);
  EXPECT(sendwright_planned(*site, MPI_COMM_WORLD, 0, ranks));
  EXPECT(SENDWRIGHT_ALL_TO_ALL_OF(0, *site, out[0], out[1], count, MPI_INT, in[0], in[1], count,
                                  MPI_INT, tag, MPI_COMM_WORLD, 0, ranks));
  for (int from = 0; from < ranks; ++from)
    for (int index = 0; index < count; ++index)
      EXPECT(in[from][index] == (from == rank ? -1 : 100 * from + 10 * rank + index));
}

static void allgather(struct sendwright_site *site, int rank, int count) {
  fill(rank, count);
  EXPECT(sendwright_planned(*site, MPI_COMM_WORLD, 0, ranks));
  EXPECT(SENDWRIGHT_ALLGATHER_OF(0, *site, out[0], count, MPI_INT, in[0], in[1], count, MPI_INT,
                                 tag, MPI_COMM_WORLD, 0, ranks));
  for (int from = 0; from < ranks; ++from)
    for (int index = 0; index < count; ++index)
      EXPECT(in[from][index] == (from == rank ? -1 : 100 * from + index));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int round = 0; round < 3; ++round) {
    all_to_all(&first_loop, my_rank(), 10 + 5000 * round);
    allgather(&second_loop, my_rank(), most / (round + 1));
    allgather(&third_loop, my_rank(), 10 + 100 * round);
  }
  MPI_Finalize();
}
