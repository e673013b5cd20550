// Several nonblocking duplications of one communicator may be under way at once. With Open MPI 4.1
// they fail, even without any library, if a rank makes progress between two of them; so the runtime
// makes none there. Fails when it does: MPI_ERR_TRUNCATE from within MPI.
//
// RUN: %mpicc %s -o %t %runtime
// RUN: env SENDWRIGHT_BUFFERS=1000 %mpirun 2 %t
// RUN: env SENDWRIGHT_ADAPT=1 %mpirun 2 %t
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 2 %t

#include <mpi.h>

enum { count = 6 };

int main(int argc, char **argv) {
  MPI_Comm copies[count];
  MPI_Request requests[count];
  int one = 1, sum = 0, size, errors = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < count; ++k)
    MPI_Comm_idup(MPI_COMM_WORLD, &copies[k], &requests[k]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < count; ++k) {
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copies[k]);
    errors += sum != size;
    MPI_Comm_free(&copies[k]);
  }
  MPI_Finalize();
  return errors != 0;
}
