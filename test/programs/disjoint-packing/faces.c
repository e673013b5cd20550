#include "faces.h"

void faces_create(struct faces *f, MPI_Comm communicator) {
  int dimensions[3] = {2, 2, 2}, periods[3] = {1, 1, 1}, at = 0;
  MPI_Cart_create(communicator, 3, dimensions, periods, 0, &f->grid);
  for (int dimension = 0; dimension < 3; ++dimension)
    MPI_Cart_shift(f->grid, dimension, 1, &f->neighbour[2 * dimension],
                   &f->neighbour[2 * dimension + 1]);
  for (int which = 0; which < 6; ++which) {
    const int dimension = which / 2, high = which % 2;
    f->start[which] = at;
    for (int a = 1; a <= side; ++a)
      for (int b = 1; b <= side; ++b, ++at) {
        const int own = high ? side : 1, ghost = high ? side + 1 : 0;
        f->send_index[at] = dimension == 0   ? cell(own, a, b)
                            : dimension == 1 ? cell(a, own, b)
                                             : cell(a, b, own);
        f->receive_index[at] = dimension == 0   ? cell(ghost, a, b)
                               : dimension == 1 ? cell(a, ghost, b)
                                                : cell(a, b, ghost);
      }
  }
  f->start[6] = at;
}

/* The neighbour on the low side calls the same face its high one. With two ranks in a dimension
 * both faces go to the same rank, told apart by their tags. */
void faces_exchange(struct faces *f, double *values) {
  MPI_Request requests[12];
  for (int i = 0; i < 6; ++i)
    MPI_Irecv(&f->in[f->start[i]], f->start[i + 1] - f->start[i], MPI_DOUBLE, f->neighbour[i],
              i ^ 1, f->grid, &requests[i]);
  for (int i = 0; i < 6; ++i) { // -> reordered
    for (int j = f->start[i]; j < f->start[i + 1]; ++j)
      f->out[j] = values[f->send_index[j]];
    MPI_Isend(&f->out[f->start[i]], f->start[i + 1] - f->start[i], MPI_DOUBLE, f->neighbour[i], i,
              f->grid, &requests[6 + i]);
  }
  MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
  for (int j = 0; j < f->start[6]; ++j)
    values[f->receive_index[j]] = f->in[j];
}
