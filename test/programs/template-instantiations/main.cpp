#include "exchange.hpp"
#include "result.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<unsigned char> all = particleFields(rank);
  print_result(MPI_COMM_WORLD, "particles", all.data(), all.size());
  all = meshFields(rank);
  append(all, exchanged<char, 1>(11, rank));
  append(all, exchanged<short, 5>(12, rank)); // one destination
  append(all, exchanged<std::array<double, 5>, 1>(13, rank));
  print_result(MPI_COMM_WORLD, "mesh", all.data(), all.size());
  return MPI_Finalize();
}
