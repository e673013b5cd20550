#include "result.h"

#include <stdlib.h>

/* Block p of `out` goes to rank p; each step pairs this rank with two others. */
static void exchange_blocks(const long *out, long *in, int length, int rank, int ranks) {
  for (int step = 0; step < ranks; ++step) { // -> left: waits between its sends (MPI_Sendrecv
    const int to = (rank + step) % ranks, from = (rank + ranks - step) % ranks;
    MPI_Sendrecv(out + to * length, length, MPI_LONG, to, step, in + from * length, length,
                 MPI_LONG, from, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* The same with a non-blocking receive around each blocking send. */
static void exchange_blocks_again(const long *out, long *in, int length, int rank, int ranks) {
  for (int step = 0; step < ranks; ++step) { // -> left: waits between its sends (MPI_Wait)
    const int to = (rank + step) % ranks, from = (rank + ranks - step) % ranks;
    MPI_Request request;
    MPI_Irecv(in + from * length, length, MPI_LONG, from, step, MPI_COMM_WORLD, &request);
    MPI_Send(out + to * length, length, MPI_LONG, to, step, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int length = 11;
  long *blocks = malloc(ranks * length * sizeof *blocks),
       *turned = malloc(ranks * length * sizeof *turned);
  for (int i = 0; i < ranks * length; ++i)
    blocks[i] = 1000 * rank + i;
  for (int round = 0; round < 3; ++round) {
    exchange_blocks(blocks, turned, length, rank, ranks);
    for (int i = 0; i < ranks * length; ++i)
      turned[i] += i * round;
    exchange_blocks_again(turned, blocks, length, rank, ranks);
  }
  print_result(MPI_COMM_WORLD, "blocks", blocks, ranks * length * sizeof *blocks);
  free(blocks), free(turned);
  return MPI_Finalize();
}
