#include "counting.h"
#include "result.h"

enum { modes = 50 };

static void send_modes(const double *mode, int rank, int ranks, MPI_Request *requests) {
  for (int p = 0, k = 0; p < ranks; ++p) // -> reordered
    if (p != rank)
      MPI_Isend(mode + p, modes - ranks, MPI_DOUBLE, p, 1, MPI_COMM_WORLD, &requests[k++]);
}

static void send_lengths(const int *lengths, int rank, int ranks) {
  for (int p = ranks - 1; p >= 0; --p) // -> reordered
    if (p != rank)
      MPI_Send(&lengths[p], 1, MPI_INT, p, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  double mode[modes], in[modes];
  int rank, ranks, lengths[16], length;
  MPI_Request requests[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < modes; ++i)
    mode[i] = 1.0 / (1 + i + rank);
  for (int step = 0; step < 5; ++step) {
    for (int p = 0; p < ranks; ++p)
      lengths[p] = 1 + (step + p + rank) % 7;
    send_modes(mode, rank, ranks, requests);
    send_lengths(lengths, rank, ranks);
    double sum[modes] = {0};
    for (int p = 0; p < ranks; ++p) {
      if (p == rank)
        continue;
      MPI_Recv(in, modes, MPI_DOUBLE, p, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&length, 1, MPI_INT, p, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < modes - ranks; i += length)
        sum[i] += in[i] / length;
    }
    MPI_Waitall(ranks - 1, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < modes; ++i)
      mode[i] += sum[i];
  }
  print_result(MPI_COMM_WORLD, "modes", mode, sizeof mode);
  print_result(MPI_COMM_WORLD, "counts", &counts, sizeof counts);
  return MPI_Finalize();
}
