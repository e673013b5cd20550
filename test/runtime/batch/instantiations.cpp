// Each instantiation of a loop in a template has its own orders. One without orders, or unknown to
// the plan, runs as written, even inside another scope, whose batch then holds its sends.
//
// RUN: printf 'ranks 4\nsite 1 Value = int\norder * 3 2 1\nsite 1 Value = char\norder * 2 1 3\n' > %t.words
// RUN: printf 'site 1 Value = long\nsite 2\norder * 3 1 2\n' >> %t.words
// RUN: %write_plan %t.plan < %t.words
// RUN: %mpicc -c %planned_loop -o %t.o
// RUN: %mpicxx %s %t.o -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, SENDWRIGHT_SITE_STABLE_BUFFERS)
PLANNED_LOOP(outer, 2, SENDWRIGHT_SITE_STABLE_BUFFERS)

static int sent;

template <typename Value> static void send_all() {
  sendwright_batch_instance(loop);
  for (int peer = 1; peer < 4; ++peer)
    MPI_Send(&peer, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
  ++sent;
}

template <typename Value> static void expect(const char *log) {
  clear_log();
  send_all<Value>();
  expect_log(log);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (my_rank() == 0) {
    for (int round = 0; round < 3; ++round) {
      expect<int>("isend 3 isend 2 isend 1 ");
      expect<char>("isend 2 isend 1 isend 3 ");
      expect<long>("send 1 send 2 send 3 ");
      expect<short>("send 1 send 2 send 3 ");
    }
    clear_log();
    {
      sendwright_batch(outer);
      send_all<long>();
      expect_log("");
    }
    expect_log("isend 3 isend 1 isend 2 ");
    clear_log();
    {
      sendwright_batch(outer);
      send_all<char>();
    }
    expect_log("isend 2 isend 1 isend 3 ");
  }
  MPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int value; my_rank() > 0 && sent > 0; --sent)
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
