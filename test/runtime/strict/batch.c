// A rebuilt program: issued sends of a batch need buffers like any others, held sends do not. Rank
// 0's loop sends to rank 1 before rank 2, which receives first. As written, and with the order of
// the loop, that is a deadlock without buffers: rank 1 receives only after rank 2. Issued as a
// batch, all sends are under way before any is waited for. A batch whose messages nobody receives
// is reported.
//
// RUN: printf 'ranks 3\nsite 1\norder * 2 1\n' | %write_plan %t.plan
// RUN: %mpicc -g %s %planned_loop -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=0 %mpirun 3 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_BUFFERS=0 SENDWRIGHT_DISABLE=1 %mpirun 3 %t > %t.out 2>&1; test $? = 86
// RUN: %FileCheck %s < %t.out
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_BUFFERS=0 %mpirun 3 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_BUFFERS=1 %mpirun 3 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_BUFFERS=0 %mpirun 3 %t never > %t.out 2>&1; test $? = 86
// RUN: %FileCheck --check-prefix=NEVER %s < %t.out
// CHECK: rank 0: MPI_Send to rank 1, tag 4, at batch.c:[[#]]: rank 1 has no buffers and does not receive it
// CHECK-NEXT: rank 1: MPI_Recv from rank 2, tag 5, at batch.c:[[#]]: rank 2 does not send it
// CHECK-NEXT: rank 2: MPI_Recv from rank 0, tag 4, at batch.c:[[#]]: rank 0 does not send it
// NEVER: rank 0: batched MPI_Send to rank 1, tag 9, at program.c:1: rank 1 has no buffers and does not receive it
// NEVER-NEXT: rank 1: MPI_Recv from rank 0, tag 8,

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static int receive(int source, int tag) {
  int value = -1;
  MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return value;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank();
  for (int turn = 0; turn < 3; ++turn) {
    if (rank == 0) {
      MPI_Request requests[2];
      {
        sendwright_batch(loop);
        for (int peer = 1; peer < 3; ++peer)
          MPI_Send(&turn, 1, MPI_INT, peer, 4, MPI_COMM_WORLD);
      }
      {
        sendwright_batch(loop);
        for (int peer = 1; peer < 3; ++peer)
          MPI_Isend(&turn, 1, MPI_INT, peer, 6, MPI_COMM_WORLD, &requests[peer - 1]);
      }
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
      if (rank == 1)
        receive(2, 5);
      EXPECT(receive(0, 4) == turn);
      if (rank == 2)
        MPI_Send(&turn, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
      EXPECT(receive(0, 6) == turn);
    }
  }
  if (argc > 1 && rank == 0) {
    sendwright_batch(loop);
    MPI_Send(&rank, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  } else if (argc > 1 && rank == 1) {
    receive(0, 8);
  }
  MPI_Finalize();
}
