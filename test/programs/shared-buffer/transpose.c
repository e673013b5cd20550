#include "transpose.h"

#include <stdlib.h>

void transpose(double complex *rows, int n, MPI_Comm communicator) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const int own = n / ranks, block = own * own;
  double complex *pack = malloc(block * sizeof *pack), *in = malloc(ranks * block * sizeof *in);
  MPI_Request *requests = malloc(ranks * sizeof *requests);
  for (int p = 0; p < ranks; ++p)
    MPI_Irecv(&in[p * block], block, MPI_C_DOUBLE_COMPLEX, p, 0, communicator, &requests[p]);
  for (int step = 0; step < ranks; ++step) { // -> reordered
    const int p = (rank + step) % ranks;
    for (int column = 0; column < own; ++column)
      for (int row = 0; row < own; ++row)
        pack[column * own + row] = rows[row * n + p * own + column];
    MPI_Send(pack, block, MPI_C_DOUBLE_COMPLEX, p, 0, communicator);
  }
  MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < ranks; ++p)
    for (int row = 0; row < own; ++row)
      for (int column = 0; column < own; ++column)
        rows[row * n + p * own + column] = in[p * block + row * own + column];
  free(pack), free(in), free(requests);
}
