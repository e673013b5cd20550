#include "exchange.h"
#include <mpi.h>

enum { neighbours = 10 };

/* Every rank sends its value to the next ranks, and adds up what it gets. */
double exchange(double value, int rank, int size) {
  MPI_Request requests[2 * neighbours];
  double received[neighbours], sum = 0;
  for (int each = 0; each < neighbours; ++each)
    MPI_Irecv(&received[each], 1, MPI_DOUBLE, (rank - each - 1 + size) % size, 5, MPI_COMM_WORLD, &requests[each]);
  for (int each = 0; each < neighbours; ++each)
    MPI_Isend(&value, 1, MPI_DOUBLE, (rank + each + 1) % size, 5, MPI_COMM_WORLD, &requests[neighbours + each]);
  MPI_Waitall(2 * neighbours, requests, MPI_STATUSES_IGNORE);
  for (int each = 0; each < neighbours; ++each)
    sum += received[each] / (each + 2);
  return sum / neighbours + 0.5 * value;
}
