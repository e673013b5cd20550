// In a chain each MPI_Sendrecv is under way with the next: rank r exchanges with its neighbours in an
// order in which each rank waits for the next one, so the calls as written never end (this fails, or
// hangs, where they do not overlap). Every status is that of its call, and its error field is the
// program's.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: %mpirun 3 %t

#include <mpi.h>
#include "../../../runtime/include/sendwright/runtime.h"
#include <stdio.h>

#define EXPECT(CONDITION)                                                                          \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                              \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)

static struct sendwright_site site = {"chain.c", "main", 1, 0, 1, 0, 0};

enum { many = 100000 };
static int out[2][many], in[2][many];

int main(int argc, char **argv) {
  int rank, count;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* Pairs 0-1, 1-2, 2-0: each rank begins with its successor, which begins with another. */
  const int first = (rank + 1) % 3, second = (rank + 2) % 3;
  MPI_Status status[2];
  for (int k = 0; k < many; k++)
    out[0][k] = 10 * rank + first, out[1][k] = 10 * rank + second, in[0][k] = in[1][k] = -1;
  status[0].MPI_ERROR = 77, status[1].MPI_ERROR = 78;
  {
    sendwright_chain(site);
    MPI_Sendrecv(out[0], many, MPI_INT, first, 1, in[0], many, MPI_INT, first, 2, MPI_COMM_WORLD, &status[0]);
    MPI_Sendrecv(out[1], many - 1, MPI_INT, second, 2, in[1], many, MPI_INT, second, 1, MPI_COMM_WORLD, &status[1]);
  }
  for (int k = 0; k < many - 1; k++)
    EXPECT(in[0][k] == 10 * first + rank && in[1][k] == 10 * second + rank);
  EXPECT(in[0][many - 1] == -1 && in[1][many - 1] == 10 * second + rank);
  EXPECT(status[0].MPI_SOURCE == first && status[0].MPI_TAG == 2 && status[0].MPI_ERROR == 77);
  EXPECT(status[1].MPI_SOURCE == second && status[1].MPI_TAG == 1 && status[1].MPI_ERROR == 78);
  MPI_Get_count(&status[0], MPI_INT, &count);
  EXPECT(count == many - 1);
  MPI_Get_count(&status[1], MPI_INT, &count);
  EXPECT(count == many);
  MPI_Finalize();
  return 0;
}
