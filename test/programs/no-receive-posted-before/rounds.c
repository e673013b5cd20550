#include "result.h"

#include <stdlib.h>

enum { small = 20, large = 30000 };

static void tell_everyone(const int *values, int rank, int ranks) {
  for (int p = 0; p < ranks; ++p) // -> reordered
    if (p != rank)
      MPI_Send(values, small, MPI_INT, p, 1, MPI_COMM_WORLD);
}

/* To the ranks of the other parity, which wait for an answer or have already received. */
static void send_large(const double *block, int rank, int ranks) {
  for (int p = 1 - rank % 2; p < ranks; p += 2) // -> reordered
    MPI_Send(block + p, large, MPI_DOUBLE, p, 2, MPI_COMM_WORLD);
}

static void receive_large(double *sum, int rank, int ranks) {
  double *in = malloc(large * sizeof *in);
  for (int p = 1 - rank % 2; p < ranks; p += 2) {
    MPI_Recv(in, large, MPI_DOUBLE, p, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < large; ++i)
      sum[i] += in[i] * (p + 1);
  }
  free(in);
}

int main(int argc, char **argv) {
  int rank, ranks, values[small], in[small], total[small] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < small; ++i)
    values[i] = rank * 100 + i;
  for (int round = 0; round < 3; ++round) {
    tell_everyone(values, rank, ranks);
    for (int p = 0; p < ranks; ++p)
      if (p != rank) {
        MPI_Recv(in, small, MPI_INT, p, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < small; ++i)
          total[i] = (3 * total[i] + in[i]) % 100003;
      }
  }
  double *block = malloc((large + ranks) * sizeof *block), *sum = calloc(large, sizeof *sum);
  for (int i = 0; i < large + ranks; ++i)
    block[i] = rank + i / 1024.0;
  if (rank % 2 == 0) {
    send_large(block, rank, ranks);
    receive_large(sum, rank, ranks);
  } else {
    receive_large(sum, rank, ranks);
    send_large(block, rank, ranks);
  }
  print_result(MPI_COMM_WORLD, "total", total, sizeof total);
  print_result(MPI_COMM_WORLD, "sum", sum, large * sizeof *sum);
  free(block), free(sum);
  return MPI_Finalize();
}
