#ifndef COLLECTIVES_H
#define COLLECTIVES_H
#include <mpi.h>
/* For a number of ranks that is a power of two. */
void butterfly_sum(double *values, int count, MPI_Comm communicator);
void tree_sum(double *values, int count, MPI_Comm communicator); /* at rank 0 */
void tree_broadcast(double *values, int count, MPI_Comm communicator);
#endif
