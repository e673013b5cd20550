#ifndef LEVEL_H
#define LEVEL_H
#include <mpi.h>

struct level {
  MPI_Comm active; /* MPI_COMM_NULL at ranks that take no part */
  int rank, ranks;
};
/* The ranks whose number is a multiple of 2 to the depth; numbered backwards on odd depths. */
struct level level_enter(MPI_Comm all, int depth);
void level_leave(struct level *level);
void level_smooth(const struct level *level, double *values, int count);
#endif
