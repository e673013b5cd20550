// A typical loop: a running pointer, a request counter, conditions, receives posted
// in between, lengths that differ. Fails when arguments are read later than at the
// call.
//
// RUN: printf 'ranks 4\nsite 1\norder * 3 2 1 0\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -o %t %runtime
// RUN: env TEST_PLAN=%t.plan %mpirun 4 %t

#include "../inputs/planned-loop.h"

PLANNED_LOOP(loop, 1, 0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = my_rank(), lengths[4] = {4, 0, 7, 2}, count = 0;
  double values[16], received[4][16], *next = values;
  MPI_Request requests[8];
  for (int index = 0; index < 16; ++index)
    values[index] = rank + index / 100.0;
  {
    sendwright_batch(loop);
    for (int peer = 0; peer < 4; ++peer) {
      if (peer == rank)
        continue;
      MPI_Irecv(received[peer], 16, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[count++]);
      if (peer % 2)
        MPI_Isend(next, lengths[peer], MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &requests[count++]);
      else
        MPI_Send(next, lengths[peer], MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
      next += lengths[peer];
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int peer = 0; peer < 4; ++peer) {
    if (peer == rank)
      continue;
    int offset = 0;
    for (int before = 0; before < rank; ++before)
      offset += before == peer ? 0 : lengths[before];
    for (int index = 0; index < lengths[rank]; ++index)
      EXPECT(received[peer][index] == peer + (offset + index) / 100.0);
  }
  MPI_Finalize();
}
