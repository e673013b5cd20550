#include <mpi.h>
#include <stdlib.h>

int checked_isend(void *buffer, int count, int peer, MPI_Request *request) {
  int code = MPI_Isend(buffer, count, MPI_INT, peer, 0, MPI_COMM_WORLD, request);
  if (code != MPI_SUCCESS)
    abort();
  return code;
}
