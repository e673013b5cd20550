#include "result.h"

int main(int argc, char **argv) {
  int rank, ranks;
  double sum = 0;
  MPI_Session session;
  MPI_Group group;
  MPI_Comm world;
#ifndef ALONE
  MPI_Init(&argc, &argv);
#endif
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "loops", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
  MPI_Group_free(&group);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  for (int step = 0; step < 5; ++step) {
    double got[3];
    MPI_Request requests[3];
    for (int i = 0; i < 3; ++i)
      MPI_Irecv(&got[i], 1, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 8, world, &requests[i]);
    for (int i = 0; i < 3; ++i) { // -> reordered
      const double value = 10 * rank + i + sum / 8;
      MPI_Send(&value, 1, MPI_DOUBLE, (rank + i + 1) % ranks, 8, world);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; ++i)
      sum += got[i] / (i + 1);
  }
  print_result(world, "sum", &sum, sizeof sum);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&session);
#ifndef ALONE
  MPI_Finalize();
#endif
  (void)argc, (void)argv;
  return 0;
}
