// The loop sends, and then waits for the answer in each of the ways MPI has.
// Hangs when one of them does not issue the send first.
//
// RUN: printf 'ranks 2\nsite 1\norder * 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

static void answer(int which, int *value) {
  MPI_Message message;
  MPI_Request request;
  int flag = 0;
  switch (which) {
  case 0:
    break;
  case 1:
    MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    break;
  case 2:
    while (!flag)
      MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    break;
  case 3:
    MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    return;
  case 4:
    while (!flag)
      MPI_Improbe(1, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(value, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  case 5:
    MPI_Irecv(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag)
      MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Recv(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value;
  if (my_rank() == 0) {
    sendwright_batch(loop);
    for (int which = 0; which < 6; ++which) {
      int question = which;
      MPI_Send(&question, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      answer(which, &value);
      EXPECT(value == which + 1);
    }
  } else {
    for (int which = 0; which < 6; ++which) {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ++value;
      MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
}
