/* Row r is coupled to the rows of distance 1 in the ring of rows, and each rank's first rows to the
 * first rows of the ranks at distance 2. */
#include "halo.h"

#include <stdlib.h>

void problem_create(struct problem *problem, MPI_Comm communicator) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  struct halo *halo = &problem->halo;
  problem->rows = 20 + 3 * rank;
  MPI_Allreduce(&problem->rows, &problem->total, 1, MPI_INT, MPI_SUM, communicator);
  const int distance[] = {-2, -1, 1, 2}, length[] = {3, 1, 1, 3};
  halo->count = 4;
  halo->send_index = malloc(8 * sizeof *halo->send_index);
  halo->send_buffer = malloc(8 * sizeof *halo->send_buffer);
  halo->ghosts = malloc(8 * sizeof *halo->ghosts);
  halo->send_offset[0] = halo->receive_offset[0] = 0;
  for (int i = 0; i < halo->count; ++i) {
    halo->rank[i] = (rank + distance[i] + ranks) % ranks;
    halo->send_offset[i + 1] = halo->receive_offset[i + 1] = halo->send_offset[i] + length[i];
    for (int k = 0; k < length[i]; ++k)
      halo->send_index[halo->send_offset[i] + k] = distance[i] == 1 ? problem->rows - 1 : k;
  }
}

void problem_apply(struct problem *problem, MPI_Comm communicator, const double *x, double *y) {
  const int rows = problem->rows;
  halo_exchange(&problem->halo, communicator, x);
  const double *ghosts = problem->halo.ghosts;
  for (int r = 0; r < rows; ++r) {
    const double left = r > 0 ? x[r - 1] : ghosts[3], right = r + 1 < rows ? x[r + 1] : ghosts[4];
    y[r] = 4.5 * x[r] - left - right;
    if (r < 3)
      y[r] -= 0.5 * (ghosts[r] + ghosts[5 + r]);
  }
}

void problem_destroy(struct problem *problem) {
  free(problem->halo.send_index);
  free(problem->halo.send_buffer);
  free(problem->halo.ghosts);
}
