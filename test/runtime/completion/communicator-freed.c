// Communicators go away while copies sent on them are on their way: these leave first, and those on
// other communicators stay under way. An error handler of the program's own, synchronous
// sends, and a message to nobody: all as written.
//
// RUN: printf 'ranks 2\nsite 1\nearly least=1000 most=4000000\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 2 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { count = 100000 };

static int values[count];

static void send_early(MPI_Comm communicator, int tag) {
  sendwright_batch(loop);
  values[tag] = 1000 + tag;
  MPI_Send(values, count, MPI_INT, 1, tag, communicator);
  values[tag] = 0;
}

static void receive(MPI_Comm communicator, int tag) {
  MPI_Recv(values, count, MPI_INT, 0, tag, communicator, MPI_STATUS_IGNORE);
  EXPECT(values[tag] == 1000 + tag);
}

static void send_as_written(MPI_Comm own) {
  sendwright_batch(loop);
  clear_log();
  MPI_Send(values, count, MPI_INT, 1, 7, own);
  MPI_Ssend(values, count, MPI_INT, 1, 7, MPI_COMM_WORLD);
  MPI_Send(values, count, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  expect_log(MPI_PROC_NULL == -1 ? "send 1 ssend 1 send -1 " : "send 1 ssend 1 send -2 ");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm freed, left, own;
  MPI_Comm_dup(MPI_COMM_WORLD, &freed);
  MPI_Comm_dup(MPI_COMM_WORLD, &left);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  if (my_rank() == 0) {
    send_early(MPI_COMM_WORLD, 0);
    send_early(freed, 1);
    send_early(left, 2);
    MPI_Comm_free(&freed);
    MPI_Comm_disconnect(&left);
    send_as_written(own);
  } else {
    receive(freed, 1);
    MPI_Comm_free(&freed);
    receive(left, 2);
    MPI_Comm_disconnect(&left);
    receive(MPI_COMM_WORLD, 0);
    MPI_Recv(values, count, MPI_INT, 0, 7, own, MPI_STATUS_IGNORE);
    MPI_Recv(values, count, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&own);
  MPI_Finalize();
}
