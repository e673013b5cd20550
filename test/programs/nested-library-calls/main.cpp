#include "package.hpp"
#include "result.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<Level> levels(3);
  for (int depth = 0; depth < 3; ++depth) {
    Level &level = levels[depth];
    level.communicator = MPI_COMM_WORLD;
    level.diagonal = 5 + depth;
    for (int shift = 1; shift < ranks; ++shift) {
      const int other = (rank + shift) % ranks;
      if ((rank + other) % (depth + 2) != 1 || depth == 2) {
        level.plan.ranks.push_back(other);
        level.plan.index.push_back((other + depth) % (16 >> depth));
      }
    }
  }
  Vector b(16), x(16);
  for (int i = 0; i < 16; ++i)
    b[i] = 1 + (rank + i) % 4;
  const double norm = richardson(levels, b, x, 4);
  print_result(MPI_COMM_WORLD, "solution", x.data(), x.size() * sizeof(double));
  levels[0].smooth(b, x, 3);
  x = levels[0].multiply(x);
  x.push_back(norm);
  print_result(MPI_COMM_WORLD, "product", x.data(), x.size() * sizeof(double));
  return MPI_Finalize();
}
