#include "comm.h"
#include "result.h"

enum { most = 8, points = 60 };

struct neighbour {
  int rank, first, count;
};

static void send_sizes(const struct neighbour *neighbours, int count) {
  for (const struct neighbour *n = neighbours; n < neighbours + count; ++n) // -> reordered
    COMM_CHECK(comm_send_int(&n->count, n->rank));
}

static void send_edges(const double *values, const struct neighbour *neighbours, int count) {
  for (int i = 0; i < count; ++i) // -> reordered
    COMM_SEND_CHECKED(&values[neighbours[i].first], neighbours[i].count, neighbours[i].rank);
}

static void receive_edges(double ghosts[most][points], const struct neighbour *neighbours,
                          int count) {
  for (int i = 0; i < count; ++i) {
    int length;
    COMM_CHECK(MPI_Recv(&length, 1, MPI_INT, neighbours[i].rank, COMM_TAG(0), MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
    if (length > 0)
      COMM_CHECK(MPI_Recv(ghosts[i], length, MPI_DOUBLE, neighbours[i].rank, COMM_TAG(1),
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int k = length; k < points; ++k)
      ghosts[i][k] = 1;
  }
}

int main(int argc, char **argv) {
  static double values[points], ghosts[most][points];
  struct neighbour neighbours[most];
  int rank, ranks, count = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int other = ranks - 1; other >= 0; --other)
    if (other != rank && (other * rank) % 4 != 2)
      neighbours[count++] = (struct neighbour){other, 3 * other, (rank * other) % 5 * 4};
  for (int i = 0; i < points; ++i)
    values[i] = rank + 1.0 / (i + 1);
  for (int step = 0; step < 5; ++step) {
    send_sizes(neighbours, count);
    MPI_Barrier(MPI_COMM_WORLD); // the loops are sites of their own
    send_edges(values, neighbours, count);
    receive_edges(ghosts, neighbours, count);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < points; ++k)
        values[k] = 0.9 * values[k] + 0.1 * ghosts[i][(k + i) % points];
  }
  print_result(MPI_COMM_WORLD, "values", values, sizeof values);
  return MPI_Finalize();
}
