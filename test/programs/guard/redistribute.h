#ifndef REDISTRIBUTE_H
#define REDISTRIBUTE_H
#include <mpi.h>

/* Entry i of n is with rank (i / block) % ranks; one block per rank where block is 0. */
struct distribution {
  int n, block, ranks;
};
int owner(const struct distribution *d, int i);
int local_length(const struct distribution *d, int rank);
/* `from` in its distribution at this rank becomes `to` in the other. */
void redistribute(const struct distribution *before, const double *from,
                  const struct distribution *after, double *to, MPI_Comm communicator);
#endif
