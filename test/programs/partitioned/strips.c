#include "result.h"

enum { parts = 4, width = 3 };

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Request requests[2], others[2];
  double out[parts * width], in[parts * width], sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Psend_init(out, parts, width, MPI_DOUBLE, (rank + 1) % ranks, 7, MPI_COMM_WORLD,
                 MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, parts, width, MPI_DOUBLE, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD,
                 MPI_INFO_NULL, &requests[1]);
  for (int step = 0; step < 5; ++step) {
    double got[2];
    MPI_Startall(2, requests);
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(&got[i], 1, MPI_DOUBLE, (rank + ranks - i - 1) % ranks, 8, MPI_COMM_WORLD,
                &others[i]);
    for (int part = 0; part < parts; ++part) {
      for (int i = 0; i < width; ++i)
        out[part * width + i] = 100 * rank + 10 * part + i + step + sum / 16;
      MPI_Pready(part, requests[0]);
    }
    for (int i = 0; i < 2; ++i) { // -> reordered
      const double value = sum + i;
      MPI_Send(&value, 1, MPI_DOUBLE, (rank + i + 1) % ranks, 8, MPI_COMM_WORLD);
    }
    MPI_Waitall(2, others, MPI_STATUSES_IGNORE);
    for (int part = 0, arrived = 0; part < parts; ++part, arrived = 0)
      while (!arrived)
        MPI_Parrived(requests[1], part, &arrived);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < parts * width; ++i)
      sum += in[i] * (i + 1);
    sum += got[0] - got[1] / 2;
  }
  for (int i = 0; i < 2; ++i)
    MPI_Request_free(&requests[i]);
  print_result(MPI_COMM_WORLD, "sum", &sum, sizeof sum);
  return MPI_Finalize();
}
