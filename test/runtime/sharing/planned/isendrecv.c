// MPI_Isendrecv and MPI_Isendrecv_replace match the calls of ranks that share messages, even if the
// runtime carries one half and MPI the other: small and large, to itself, from any source. Fails
// when they bypass the runtime: the other side waits forever.
//
// UNSUPPORTED: openmpi
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessage 0 3 5\nmessage 1 3 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t
// RUN: env TEST_PLAN=%t.plan SENDWRIGHT_DISABLE=1 %mpirun 4 %t
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t.marked %runtime
// RUN: env SENDWRIGHT_ADAPT=1 %mpirun 4 %t.marked

#include "../../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { most = 50000, tag = 5 };

static int out[most], in[most];

/* Sends the messages that let the plan recognise its exchange. */
static void share(void) {
  int value = my_rank();
  {
    sendwright_batch(loop);
    if (my_rank() < 2)
      MPI_Send(&value, 1, MPI_INT, 3, tag, MPI_COMM_WORLD);
  }
  for (int source = 0; my_rank() == 3 && source < 2; ++source)
    MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Sends `count` values to one rank and receives as many from another; every second rank uses the
 * calls of MPI 4.0. */
static void exchange(int count, int to, int from, int late, int replace) {
  MPI_Request request;
  int *received = replace ? out : in, source = from;
  if (late)
    source = MPI_ANY_SOURCE;
  for (int k = 0; k < count; ++k) {
    out[k] = 100 * my_rank() + k;
    in[k] = -1;
  }
  if ((my_rank() + late) % 2) {
    MPI_Isend(out, count, MPI_INT, to, tag, MPI_COMM_WORLD, &request);
    MPI_Recv(in, count, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received = in;
  } else if (replace) {
    MPI_Isendrecv_replace(out, count, MPI_INT, to, tag, source, tag, MPI_COMM_WORLD, &request);
  } else {
    MPI_Isendrecv(out, count, MPI_INT, to, tag, in, count, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int k = 0; k < count; ++k)
    EXPECT(received[k] == 100 * from + k);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int variant = 0; variant < 8; ++variant) {
    int count = variant & 1 ? most : 1, late = variant >> 1 & 1, replace = variant >> 2;
    share();
    for (int shift = 0; shift < 4; ++shift) {
      exchange(count, (my_rank() + shift) % 4, (my_rank() + 4 - shift) % 4, late, replace);
      MPI_Barrier(MPI_COMM_WORLD); /* receives from any source belong to this shift */
    }
  }
  MPI_Finalize();
}
