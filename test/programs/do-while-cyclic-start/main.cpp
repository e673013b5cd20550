#include "result.h"
#include "sparse.hpp"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<Entry> matrix;
  for (int row = rank; row < 80; row += ranks)
    for (int column = row % 5; column < 80; column += 3 + row % 4)
      matrix.push_back({row, column, row + column / 100.0});
  std::vector<Entry> turned = transpose(matrix, MPI_COMM_WORLD);
  std::vector<Entry> back = transpose(turned, MPI_COMM_WORLD);
  double sums[2] = {0, static_cast<double>(back.size() == matrix.size())};
  for (const Entry &entry : turned)
    sums[0] += entry.value * entry.row;
  print_result(MPI_COMM_WORLD, "sums", sums, sizeof sums);
  return MPI_Finalize();
}
