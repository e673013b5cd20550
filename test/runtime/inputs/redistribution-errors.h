// What tests of errors of redistribute share: an error handler that keeps the text.

#include <sendwright/redistribution.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, *A;
static char text[MPI_MAX_ERROR_STRING];

static void handler(MPI_Comm *communicator, int *code, ...) {
  int length;
  (void)communicator;
  MPI_Error_string(*code, text, &length);
}
