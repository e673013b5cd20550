// Copies have room for two messages: the third send waits until the first has been received, and a
// larger message runs as written. Fails if more is copied than the plan, or the user, allows: then
// the third send returns before rank 1, which sleeps, receives anything. Fails, too, if something
// is lost that is still on its way in MPI_Finalize.
//
// RUN: printf 'ranks 2\nsite 1\nearly least=1000 most=800000\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t copies
// RUN: printf 'ranks 2\nsite 1\nearly least=1000 most=9000000\n' | %write_plan %t.large.plan
// RUN: env TEST_PLAN=%t.large.plan SENDWRIGHT_EARLY_BYTES=800000 %mpirun 2 %t copies
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_EARLY_BYTES=0 %mpirun 2 %t as-written
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 2 %t as-written
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_EARLY_BYTES=some %mpirun 2 %t copies 2>&1 \
// RUN:   | %FileCheck %s
// CHECK: SENDWRIGHT_EARLY_BYTES=some is ignored, expected a number of bytes

#include "../inputs/planned-loop.h"

#include <string.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

enum { count = 100000, larger = 300000 };

static int values[larger];

static void send_all(int copies) {
  sendwright_batch(loop);
  for (int round = 0; round < 4; ++round) {
    for (int index = 0; index < count; ++index)
      values[index] = round + index;
    if (round == 2)
      MPI_Send(&round, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Send(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD);
    EXPECT(round != 2 || !copies || MPI_Wtime() - begin > 0.1);
  }
  MPI_Send(values, larger, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

static void receive_all(int copies) {
  int round;
  if (copies) {
    MPI_Recv(&round, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(200000);
  }
  for (round = 0; round < 4; ++round) {
    MPI_Recv(values, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int index = 0; index < count; ++index)
      EXPECT(values[index] == round + index);
  }
  MPI_Recv(values, larger, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!copies)
    MPI_Recv(&round, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int copies = strcmp(argv[1], "copies") == 0;
  if (my_rank() == 0) {
    send_all(copies);
    expect_log(copies ? "isend 1 isend 1 send 1 isend 1 isend 1 send 1 "
                      : "send 1 send 1 send 1 send 1 send 1 send 1 ");
    sendwright_batch(loop);
    if (copies) // nothing waits for it before MPI_Finalize
      MPI_Send(values, count, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else {
    receive_all(copies);
    if (copies)
      MPI_Recv(values, count, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
