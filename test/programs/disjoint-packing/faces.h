#ifndef FACES_H
#define FACES_H
#include <mpi.h>

enum { side = 6, cells = (side + 2) * (side + 2) * (side + 2), face = side * side };

struct faces {
  MPI_Comm grid;
  int neighbour[6]; /* low and high in each dimension */
  int start[7];
  int send_index[6 * face], receive_index[6 * face];
  double out[6 * face], in[6 * face];
};

static inline int cell(int x, int y, int z) { return (z * (side + 2) + y) * (side + 2) + x; }
void faces_create(struct faces *faces, MPI_Comm communicator);
void faces_exchange(struct faces *faces, double *values);
#endif
