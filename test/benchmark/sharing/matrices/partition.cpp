// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partition MATRIX.mtx RANKS: the messages of a column-parallel product y = A x, as a communication
// matrix on standard output. METIS divides the columns, weighted by their nonzeros; y_i belongs to
// the rank of column i. A rank sends a sum for each row in which it has a nonzero and which belongs
// to another rank. Standard error gets rows, nonzeros and the coefficient of variation of the
// nonzeros of a row.

#include "examples/spmv/matrix.hpp"

#include <metis.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace {

/// The pattern of A + A^T without its diagonal, as METIS wants it.
struct Graph {
  std::vector<idx_t> begin, others, weights;
};

Graph graphOf(const Matrix &matrix) {
  std::vector<std::pair<int, int>> edges;
  Graph graph;
  graph.weights.assign(static_cast<std::size_t>(matrix.rows), 1);
  for (const Entry &entry : matrix.entries) {
    ++graph.weights[static_cast<std::size_t>(entry.column)];
    if (entry.row != entry.column) {
      edges.emplace_back(entry.row, entry.column);
      edges.emplace_back(entry.column, entry.row);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  graph.begin.assign(static_cast<std::size_t>(matrix.rows) + 1, 0);
  for (const auto &[from, to] : edges) {
    ++graph.begin[static_cast<std::size_t>(from) + 1];
    graph.others.push_back(to);
  }
  for (std::size_t row = 1; row < graph.begin.size(); ++row)
    graph.begin[row] += graph.begin[row - 1];
  return graph;
}

std::vector<idx_t> divide(const Matrix &matrix, int ranks) {
  Graph graph = graphOf(matrix);
  std::vector<idx_t> part(static_cast<std::size_t>(matrix.rows), 0);
  idx_t rows = matrix.rows, constraints = 1, parts = ranks, cut = 0, settings[METIS_NOPTIONS];
  METIS_SetDefaultOptions(settings);
  settings[METIS_OPTION_SEED] = 1;
  settings[METIS_OPTION_UFACTOR] = 100;
  if (ranks > 1 && METIS_PartGraphKway(&rows, &constraints, graph.begin.data(), graph.others.data(),
                                       graph.weights.data(), nullptr, nullptr, &parts, nullptr,
                                       nullptr, settings, &cut, part.data()) != METIS_OK)
    throw std::runtime_error("METIS cannot divide the matrix");
  return part;
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
  const std::vector<idx_t> part = divide(matrix, ranks);
  std::set<std::pair<idx_t, int>> sums; // rank, row
  for (const Entry &entry : matrix.entries)
    if (part[static_cast<std::size_t>(entry.row)] != part[static_cast<std::size_t>(entry.column)])
      sums.emplace(part[static_cast<std::size_t>(entry.column)], entry.row);
  std::map<std::pair<idx_t, idx_t>, long> items;
  for (const auto &[rank, row] : sums)
    ++items[{rank, part[static_cast<std::size_t>(row)]}];
  std::printf("# K=%d\n", ranks);
  idx_t line = -1;
  for (const auto &[ends, count] : items) {
    if (ends.first != line)
      std::printf("%s%d:", line < 0 ? "" : "\n", static_cast<int>(ends.first));
    line = ends.first;
    std::printf(" %d:%ld", static_cast<int>(ends.second), count);
  }
  std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
  const int ranks = argc == 3 ? std::atoi(argv[2]) : 0;
  if (ranks < 1) {
    std::fprintf(stderr, "usage: partition MATRIX.mtx RANKS\n");
    return 2;
  }
  try {
    Matrix matrix = MatrixMarketReader(argv[1]).read();
    compress(matrix);
    describe(matrix);
    printMessages(matrix, ranks);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
