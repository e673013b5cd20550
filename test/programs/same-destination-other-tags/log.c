#include "result.h"

enum { fields = 12, writers = 2, points = 9 };

/* Field f goes to writer f % writers; writers are the last ranks. */
static int send_fields(const double field[fields][points], int step, int ranks,
                       MPI_Request *requests) {
  int sent = 0;
  for (int f = 0; f < fields; ++f) { // -> reordered
    const int writer = ranks - 1 - f % writers;
    if ((f + step) % 5 != 0)
      MPI_Isend(field[f], points - f % 3, MPI_DOUBLE, writer, 100 + (f * 7) % fields,
                MPI_COMM_WORLD, &requests[sent++]);
  }
  return sent;
}

static int expected(int step, int which) {
  int count = 0;
  for (int f = 0; f < fields; ++f)
    count += f % writers == which && (f + step) % 5 != 0;
  return count;
}

int main(int argc, char **argv) {
  double field[fields][points], in[points], digest = 0;
  MPI_Request requests[fields];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 6; ++step) {
    for (int f = 0; f < fields; ++f)
      for (int i = 0; i < points; ++i)
        field[f][i] = rank + f * 10 + i / 16.0 + step;
    const int sent = send_fields(field, step, ranks, requests);
    if (ranks - 1 - rank < writers)
      for (int from = 0; from < ranks; ++from)
        for (int count = expected(step, ranks - 1 - rank); count > 0; --count) {
          MPI_Status status;
          int length;
          MPI_Recv(in, points, MPI_DOUBLE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
          MPI_Get_count(&status, MPI_DOUBLE, &length);
          digest = 1.0625 * digest + status.MPI_TAG; /* changes when two are swapped */
          for (int i = 0; i < length; ++i)
            digest = 1.0625 * digest + in[i];
          if (digest > 1e6)
            digest /= 1024;
        }
    MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
  }
  print_result(MPI_COMM_WORLD, "log", &digest, sizeof digest);
  return MPI_Finalize();
}
