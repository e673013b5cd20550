#ifndef TRANSPOSE_H
#define TRANSPOSE_H
#include <complex.h>
#include <mpi.h>

/* rows holds n / ranks rows of an n by n matrix; afterwards, of its transpose. */
void transpose(double complex *rows, int n, MPI_Comm communicator);
#endif
