// Under SimGrid's SMPI a program may end at any execution of a loop that learns: ranks that end
// early still take what others tell them. SMPI ends a run in which a rank sends to one that has
// ended. Fails if a run of any number of executions does not end well, or if results differ.
//
// REQUIRES: smpicc
// UNSUPPORTED: sanitize
// RUN: %source_root/test/benchmark/testbed/smpi compile -DWITHOUT_LOG -DMARKED_LOOPS %s %planned_loop -o %t \
// RUN:   -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: for rounds in 4 7 8 9 12 15 16 17 18 20 23 24 25 26 28 31 32 33 36 40; do \
// RUN:   %source_root/test/benchmark/testbed/smpi run 27 %source_root/examples/platforms/infiniband.xml %t $rounds \
// RUN:     >%t.written 2>%t.said && \
// RUN:   env SENDWRIGHT_ADAPT=%source_root/examples/platforms/infiniband.json \
// RUN:     %source_root/test/benchmark/testbed/smpi run 27 %source_root/examples/platforms/infiniband.xml %t $rounds \
// RUN:     >%t.learned 2>%t.said && sort %t.written >%t.first && sort %t.learned | cmp - %t.first || { echo "$rounds rounds:"; cat %t.said; exit 1; }; \
// RUN: done
//
// A leader that serves others while its program is in blocking sends does not take them for waits
// in the loop: the loop shares soon.
//
// RUN: %source_root/test/benchmark/testbed/smpi compile -DWITHOUT_LOG -DMARKED_LOOPS -DBLOCKING %s %planned_loop \
// RUN:   -o %t.blocking -L%binary_root/lib/smpi -lsendwright -lstdc++ -lz
// RUN: env SENDWRIGHT_ADAPT=%source_root/examples/platforms/infiniband.json \
// RUN:   %source_root/test/benchmark/testbed/smpi run 27 %source_root/examples/platforms/infiniband.xml \
// RUN:   %t.blocking 60 2>&1 | grep -E "messages are shared from execution (1?[0-9]|2[0-4]) on"

#include "../../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>

PLANNED_LOOP(loop, 1, 0)

enum { side = 3, most = 26 };

/// A block of a mesh that does not close, so that ranks have 7 to 26 neighbours.
static int neighbours_of(int rank, int *neighbours) {
  int count = 0;
  for (int place = 0; place < 27; ++place) {
    const int x = rank / 9 + place / 9 - 1, y = rank / 3 % 3 + place / 3 % 3 - 1,
              z = rank % 3 + place % 3 - 1;
    if (place != 13 && x >= 0 && x < side && y >= 0 && y < side && z >= 0 && z < side)
      neighbours[count++] = (x * side + y) * side + z;
  }
  return count;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 40;
  int rank, neighbours[most], in[most], out[most], total;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int count = neighbours_of(rank, neighbours);
  total = rank;
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2 * most];
    for (int n = 0; n < count; ++n)
      MPI_Irecv(&in[n], 1, MPI_INT, neighbours[n], 5, MPI_COMM_WORLD, &requests[n]);
    {
      sendwright_batch(loop);
      for (int n = 0; n < count; ++n) {
        out[n] = total + n;
#ifdef BLOCKING
        MPI_Send(&out[n], 1, MPI_INT, neighbours[n], 5, MPI_COMM_WORLD);
        requests[count + n] = MPI_REQUEST_NULL;
#else
        MPI_Isend(&out[n], 1, MPI_INT, neighbours[n], 5, MPI_COMM_WORLD, &requests[count + n]);
#endif
      }
    }
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
    for (int n = 0; n < count; ++n)
      total = total * 31 % 65521 + in[n];
  }
  printf("%d: %d\n", rank, total);
  MPI_Finalize();
}
