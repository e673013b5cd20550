#include "random.h"
#include "result.h"

enum { most = 30 };

/* Takes as many photons as the stream says, from its current place. Returns how many numbers they
 * are. */
static int fill(double *packet, int energy) {
  const int photons = 1 + (int)(random_next() * 8);
  packet[0] = photons;
  packet[1] = random_drawn;
  for (int i = 0; i < photons; ++i)
    packet[2 + i] = energy * random_next();
  return photons + 2;
}

int main(int argc, char **argv) {
  int rank, ranks;
  double packet[most], in[8][most] = {{0}}, tally[2] = {0, 0};
  MPI_Request requests[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  random_seed(1000 + rank);
  for (int cycle = 0; cycle < 5; ++cycle) {
    for (int p = 0; p < ranks; ++p)
      MPI_Irecv(in[p], most, MPI_DOUBLE, p, cycle, MPI_COMM_WORLD, &requests[p]);
    for (int p = 0; p < ranks; ++p) { // -> reordered
      const int length = fill(packet, cycle + p);
      MPI_Send(packet, length, MPI_DOUBLE, p, cycle, MPI_COMM_WORLD);
    }
    MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
    for (int p = 0; p < ranks; ++p)
      for (int i = 0; i < (int)in[p][0] + 1; ++i)
        tally[i == 0] += in[p][i + 1];
  }
  tally[1] += random_drawn;
  print_result(MPI_COMM_WORLD, "tally", tally, sizeof tally);
  return MPI_Finalize();
}
