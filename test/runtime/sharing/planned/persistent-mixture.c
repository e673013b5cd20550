// Persistent collectives after persistent sends that the runtime copies. MPICH 4.0 does not start a
// collective whose request was a persistent send to MPI_PROC_NULL before, so the runtime creates no
// such send. Fails with MPICH when it does: all ranks wait in the collective.
//
// UNSUPPORTED: openmpi
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t %runtime
// RUN: env SENDWRIGHT_ADAPT_WATCH=0 SENDWRIGHT_ADAPT=%S/../../inputs/latency-bound.json SENDWRIGHT_WATCHDOG=30,abort %mpirun 2 %t

#include "../../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

enum { requestCount = 32 };

static void exchange(MPI_Request *requests) {
  static int out[requestCount], in[requestCount];
  const int partner = 1 - my_rank();
  for (int i = 0; i < requestCount; i += 2) {
    MPI_Send_init(&out[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Recv_init(&in[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD, &requests[i + 1]);
    out[i] = 10 * i + my_rank();
  }
  MPI_Startall(requestCount, requests);
  MPI_Waitall(requestCount, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < requestCount; ++i) {
    EXPECT(i % 2 || in[i] == 10 * i + partner);
    MPI_Request_free(&requests[i]);
  }
}

static void broadcast(MPI_Request *requests) {
  int values[requestCount];
  for (int i = 0; i < requestCount; ++i) {
    values[i] = my_rank() ? -1 : i;
    MPI_Bcast_init(&values[i], 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
  }
  MPI_Startall(requestCount, requests);
  MPI_Waitall(requestCount, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < requestCount; ++i) {
    EXPECT(values[i] == i);
    MPI_Request_free(&requests[i]);
  }
}

int main(int argc, char **argv) {
  MPI_Request requests[requestCount];
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() == 2);
  for (int round = 0; round < 3; ++round) {
    exchange(requests);
    broadcast(requests);
  }
  MPI_Finalize();
}
