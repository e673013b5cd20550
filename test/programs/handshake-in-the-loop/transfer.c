#include "result.h"

#include <stdlib.h>

enum { request_tag = 1, grant_tag, data_tag };

/* Of two ranks the lower one sends to the other. */
static void send_up(const float *data, int length, int rank, int ranks) {
  for (int to = rank + 1; to < ranks; ++to) { // -> reordered
    int granted;
    MPI_Send(&length, 1, MPI_INT, to, request_tag, MPI_COMM_WORLD);
    MPI_Recv(&granted, 1, MPI_INT, to, grant_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, granted, MPI_FLOAT, to, data_tag, MPI_COMM_WORLD);
  }
}

static void receive_from_below(float *sum, int room, int rank) {
  for (int from = rank - 1; from >= 0; --from) { // -> left: waits between its sends (MPI_Recv)
    int length;
    MPI_Recv(&length, 1, MPI_INT, from, request_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const int granted = length < room ? length : room;
    MPI_Send(&granted, 1, MPI_INT, from, grant_tag, MPI_COMM_WORLD);
    float *in = malloc(granted * sizeof *in);
    MPI_Recv(in, granted, MPI_FLOAT, from, data_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < granted; ++i)
      sum[i] += in[i] * (from + 1);
    free(in);
  }
}

int main(int argc, char **argv) {
  int rank, ranks;
  float data[200], sum[150] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 200; ++i)
    data[i] = rank + i / 8.0f;
  receive_from_below(sum, 150 - 10 * rank, rank);
  send_up(data, 200 - 20 * rank, rank, ranks);
  print_result(MPI_COMM_WORLD, "sum", sum, sizeof sum);
  return MPI_Finalize();
}
