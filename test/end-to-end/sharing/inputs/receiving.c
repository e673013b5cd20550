#include "receiving.h"
#include <mpi.h>

static MPI_Request expected[16], dispatched[16];
static int count_dispatched;

void expect_all(const int *partner, int partners, int (*inbox)[receiving_room]) {
  for (int k = 0; k < partners; ++k)
    MPI_Irecv(inbox[k], receiving_room, MPI_INT, partner[k], 1, MPI_COMM_WORLD, &expected[k]);
}

void dispatch(const int *values, int count, int to) {
  MPI_Isend(values, count, MPI_INT, to, 1, MPI_COMM_WORLD, &dispatched[count_dispatched++]);
}

void take_all(int partners, int *counts) {
  for (int left = partners; left > 0; --left) {
    int index;
    MPI_Status status;
    MPI_Waitany(partners, expected, &index, &status);
    MPI_Get_count(&status, MPI_INT, &counts[index]);
  }
}

void await_dispatched(void) {
  int done = 0;
  while (!done)
    MPI_Testall(count_dispatched, dispatched, &done, MPI_STATUSES_IGNORE);
  count_dispatched = 0;
}
