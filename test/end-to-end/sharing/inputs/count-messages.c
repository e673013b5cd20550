/* Counts how many messages a rank really sends to others, below the runtime: linked into a program,
 * it comes before MPI's library. With COUNT_MESSAGES in the environment, each rank prints its
 * number at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long sent;
static int rank = -1;

static void count(MPI_Comm communicator, int to) {
  int ranks;
  PMPI_Comm_size(communicator, &ranks);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sent += ranks > 1 && to != MPI_PROC_NULL;
}

int PMPI_Send(const void *buffer, int values, MPI_Datatype type, int to, int tag,
              MPI_Comm communicator) {
  static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Send");
  count(communicator, to);
  return next(buffer, values, type, to, tag, communicator);
}

int PMPI_Isend(const void *buffer, int values, MPI_Datatype type, int to, int tag,
               MPI_Comm communicator, MPI_Request *request) {
  static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
  count(communicator, to);
  return next(buffer, values, type, to, tag, communicator, request);
}

__attribute__((destructor)) static void say(void) {
  if (rank >= 0 && getenv("COUNT_MESSAGES"))
    fprintf(stderr, "rank %d sent %ld\n", rank, sent);
}
