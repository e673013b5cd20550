#ifndef PENCILS_H
#define PENCILS_H
#include <mpi.h>

/* n by n, this rank's n / ranks rows; block (row, column) of the result is that of the transpose.
 */
struct pencils {
  int n, rows, ranks, rank;
  MPI_Datatype block, turned;
  MPI_Comm communicator;
};
void pencils_create(struct pencils *pencils, int n, MPI_Comm communicator);
void pencils_turn(struct pencils *pencils, const float *from, float *to);
void pencils_free(struct pencils *pencils);
#endif
