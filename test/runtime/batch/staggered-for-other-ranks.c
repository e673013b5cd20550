// A plan for 8 ranks in a run on 4: a loop whose order was chosen for its large messages
// ("staggered") sends to the next rank first, and a loop with another order runs as written. Two
// messages to one rank keep their order. Fails if the loop sends as written, or nobody says so.
//
// RUN: printf 'ranks 8\nsite 1\nstaggered 1\norder * 1\nsite 2\norder * 1\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t disabled
// CHECK-NOT: sendwright:
// CHECK: sendwright: the plan in program.c is for 8 ranks, but this run has 4: its loops with large
// CHECK-SAME: messages (1) send to the next rank first, and the others run as written
// CHECK-NOT: sendwright:

#include "../inputs/planned-loop.h"

#include <string.h>

PLANNED_LOOP(staggered, 1, 0)
PLANNED_LOOP(other, 2, 0)

static void send_all(int first, MPI_Request *requests) {
  for (int peer = 0; peer < 4; ++peer)
    if (peer != my_rank())
      for (int number = 0; number < 2; ++number) {
        static int values[2];
        values[number] = first + number;
        MPI_Isend(&values[number], 1, MPI_INT, peer, 0, MPI_COMM_WORLD, requests++);
      }
}

static void receive_all(int first) {
  for (int number = 0; number < 2; ++number)
    for (int source = 0; source < 4; ++source)
      if (source != my_rank()) {
        int value = -1;
        MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT(value == first + number);
      }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Request requests[6];
  clear_log();
  {
    sendwright_batch(staggered);
    send_all(10, requests);
  }
  if (my_rank() == 1)
    expect_log(argc > 1 ? "isend 0 isend 0 isend 2 isend 2 isend 3 isend 3 "
                        : "start 2 start 2 start 3 start 3 start 0 start 0 ");
  receive_all(10);
  MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);

  clear_log();
  {
    sendwright_batch(other);
    send_all(20, requests);
  }
  if (my_rank() == 1)
    expect_log("isend 0 isend 0 isend 2 isend 2 isend 3 isend 3 ");
  receive_all(20);
  MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
