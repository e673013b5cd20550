// A site has an order for each pattern of destinations that the profile saw; the runtime uses
// the order whose destinations were captured, or the first if no order fits. More patterns
// than are remembered between executions change nothing. Fails when the first order is always
// used.
//
// RUN: printf 'ranks 4\nsite 1\norder 0 3 2 1\norder 0 1 3\norder 0 2 1 2\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)

static int sent[4];

static void send_to(const char *peers, const char *expected) {
  clear_log();
  {
    sendwright_batch(loop);
    for (const char *peer = peers; *peer; ++peer) {
      MPI_Send(&sent[0], 1, MPI_INT, *peer - '0', 0, MPI_COMM_WORLD);
      ++sent[*peer - '0'];
    }
  }
  expect_log(expected);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0)
    for (int round = 0; round < 3; ++round) {
      send_to("123", "isend 3 isend 2 isend 1 ");
      send_to("31", "isend 1 isend 3 ");
      send_to("13", "isend 1 isend 3 ");
      send_to("122", "isend 2 isend 1 isend 2 ");
      send_to("212", "isend 2 isend 1 isend 2 ");
      send_to("221", "isend 2 isend 1 isend 2 ");
      send_to("12", "isend 2 isend 1 ");
      send_to("21", "isend 2 isend 1 ");
      send_to("11", "isend 1 isend 1 ");
      send_to("112", "isend 2 isend 1 isend 1 ");
      send_to("32", "isend 3 isend 2 ");
      send_to("3", "isend 3 ");
    }
  int count;
  MPI_Scatter(sent, 1, MPI_INT, &count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (my_rank() > 0)
    for (int message = 0; message < count; ++message) {
      int value;
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  MPI_Finalize();
}
