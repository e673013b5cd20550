// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partition RANKS MATRIX.mtx
// partition RANKS twin ROWS NONZEROS CV FAR
//
// The messages of a column-parallel product y = A x, as a communication matrix on standard output.
// A is a file, or a twin with these figures (Twin.h). Zoltan divides a hypergraph: a column is a
// vertex, weighted by its nonzeros, and a row is a net of the columns in which it has nonzeros (U.
// V. Catalyurek, C. Aykanat, 1999). y_i belongs to the rank of column i. A rank sends a sum for
// each row in which it has a nonzero and which belongs to another rank. Standard error gets rows,
// nonzeros and the coefficient of variation of the nonzeros of a row.

#include "test/benchmark/partitioning/Hypergraph.h"
#include "test/benchmark/partitioning/Twin.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace {

std::vector<int> divideColumns(const Matrix &matrix, int ranks) {
  Hypergraph hypergraph;
  hypergraph.weights.assign(static_cast<std::size_t>(matrix.rows), 0);
  int row = 0;
  for (const Entry &entry : matrix.entries) {
    for (; row < entry.row; ++row)
      hypergraph.endNet();
    hypergraph.weights[static_cast<std::size_t>(entry.column)] += 1;
    hypergraph.addPin(entry.column);
  }
  hypergraph.endNet();
  return divide(hypergraph, ranks, 0.1);
}

void describe(const Matrix &matrix) {
  std::vector<double> counts(static_cast<std::size_t>(matrix.rows), 0);
  for (const Entry &entry : matrix.entries)
    counts[static_cast<std::size_t>(entry.row)] += 1;
  const double mean = static_cast<double>(matrix.entries.size()) / matrix.rows;
  double squares = 0;
  for (const double count : counts)
    squares += (count - mean) * (count - mean);
  std::fprintf(stderr, "%d %zu %.2f\n", matrix.rows, matrix.entries.size(),
               std::sqrt(squares / matrix.rows) / mean);
}

void printMessages(const Matrix &matrix, int ranks) {
  const std::vector<int> part = divideColumns(matrix, ranks);
  std::set<std::pair<int, int>> sums; // rank, row
  for (const Entry &entry : matrix.entries)
    if (part[static_cast<std::size_t>(entry.row)] != part[static_cast<std::size_t>(entry.column)])
      sums.emplace(part[static_cast<std::size_t>(entry.column)], entry.row);
  std::map<std::pair<int, int>, long> items;
  for (const auto &[rank, row] : sums)
    ++items[{rank, part[static_cast<std::size_t>(row)]}];
  std::printf("# K=%d\n", ranks);
  int line = -1;
  for (const auto &[ends, count] : items) {
    if (ends.first != line)
      std::printf("%s%d:", line < 0 ? "" : "\n", ends.first);
    line = ends.first;
    std::printf(" %d:%ld", ends.second, count);
  }
  std::printf("\n");
}

Matrix matrixOf(int argc, char **argv) {
  if (argc == 3) {
    Matrix matrix = MatrixMarketReader(argv[2]).read();
    compress(matrix);
    return matrix;
  }
  if (argc != 7 || std::string(argv[2]) != "twin")
    throw std::runtime_error("usage: partition RANKS MATRIX.mtx, or "
                             "partition RANKS twin ROWS NONZEROS CV FAR");
  Matrix matrix = generateTwin(
      {std::atoi(argv[3]), std::atol(argv[4]), std::atof(argv[5]), std::atof(argv[6])});
  compress(matrix);
  return matrix;
}

} // namespace

int main(int argc, char **argv) {
  int status = 0;
  MPI_Init(&argc, &argv);
  try {
    const int ranks = argc > 2 ? std::atoi(argv[1]) : 0;
    const Matrix matrix = matrixOf(argc, argv);
    if (ranks < 1)
      throw std::runtime_error(std::string(argv[1]) + ": expected a number of ranks");
    describe(matrix);
    printMessages(matrix, ranks);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
