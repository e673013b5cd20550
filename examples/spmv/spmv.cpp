// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a sparse matrix with vectors, and a conjugate gradient solver. METIS divides the
// vertices among the ranks so that few values are exchanged; with how many ranks one rank exchanges
// values depends on the matrix, and in networks it is often all of them.
//
//     spmv [--matrix FILE.mtx | --mesh SIDE | --power-law NODES] [--by rows|columns]
//          [--products N] [--iterations N]
//
// By rows, each rank receives the values of x that its rows need and computes its part of A x. By
// columns, it multiplies its columns by its part of x and sends the sums to the owners of the rows.
// Any matrix is turned into one that conjugate gradients can solve (see matrix.hpp).
//
// Standard output depends only on the matrix, the options and the number of ranks: the residuals
// with all their digits. Times go to standard error.

#include "exchange.hpp"
#include "matrix.hpp"

#include <metis.h>
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Vector = std::vector<double>; // of a rank's own vertices

struct Options {
  std::string file;
  int mesh = 0, powerLaw = 4096;
  bool byColumns = false;
  int products = 20, iterations = 40;
};

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "spmv: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

int numberOf(const char *name, const char *text, int least) {
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end || value < least || value > 1 << 26)
    fail(std::string(name) + " " + text + ", expected a number of at least " +
         std::to_string(least));
  return static_cast<int>(value);
}

Options parse(int argc, char **argv) {
  Options options;
  for (int k = 1; k < argc; k += 2) {
    const std::string name = argv[k];
    const char *value = k + 1 < argc ? argv[k + 1] : "";
    if (name == "--matrix")
      options.file = value;
    else if (name == "--mesh")
      options.mesh = numberOf("--mesh", value, 2);
    else if (name == "--power-law")
      options.powerLaw = numberOf("--power-law", value, 2);
    else if (name == "--by" && (!std::strcmp(value, "rows") || !std::strcmp(value, "columns")))
      options.byColumns = !std::strcmp(value, "columns");
    else if (name == "--products")
      options.products = numberOf("--products", value, 0);
    else if (name == "--iterations")
      options.iterations = numberOf("--iterations", value, 0);
    else
      fail("\"" + name + " " + value + "\" is no option (the source begins with a list)");
  }
  return options;
}

Matrix makeMatrix(const Options &options) {
  Matrix matrix = !options.file.empty() ? MatrixMarketReader(options.file).read()
                  : options.mesh > 0    ? generateMesh(options.mesh)
                                        : generatePowerLaw(options.powerLaw);
  makePositiveDefinite(matrix);
  return matrix;
}

/// The owner of each vertex.
std::vector<int> divide(const Matrix &matrix, int ranks) {
  idx_t rows = matrix.rows, constraints = 1, parts = ranks, cut = 0;
  std::vector<idx_t> begin(static_cast<std::size_t>(rows) + 1), others, part(begin.size() - 1);
  for (const Entry &entry : matrix.entries)
    if (entry.row != entry.column) {
      others.push_back(entry.column);
      ++begin[static_cast<std::size_t>(entry.row) + 1];
    }
  for (std::size_t row = 1; row < begin.size(); ++row)
    begin[row] += begin[row - 1];
  idx_t settings[METIS_NOPTIONS];
  METIS_SetDefaultOptions(settings);
  settings[METIS_OPTION_SEED] = 1;
  if (ranks > 1 && METIS_PartGraphKway(&rows, &constraints, begin.data(), others.data(), nullptr,
                                       nullptr, nullptr, &parts, nullptr, nullptr, settings, &cut,
                                       part.data()) != METIS_OK)
    fail("METIS cannot divide the matrix");
  return {part.begin(), part.end()};
}

/// Rank 0 creates the matrix and divides it; every rank keeps its part.
Part distribute(const Options &options, int rank, int ranks) {
  Matrix matrix;
  std::vector<int> owner;
  if (rank == 0)
    try {
      matrix = makeMatrix(options);
      owner = divide(matrix, ranks);
    } catch (const std::exception &error) {
      fail(error.what());
    }
  long sizes[] = {matrix.rows, static_cast<long>(matrix.entries.size())};
  MPI_Bcast(sizes, 2, MPI_LONG, 0, MPI_COMM_WORLD);
  matrix.rows = static_cast<int>(sizes[0]);
  matrix.entries.resize(static_cast<std::size_t>(sizes[1]));
  owner.resize(static_cast<std::size_t>(sizes[0]));
  MPI_Datatype entry;
  MPI_Type_contiguous(sizeof(Entry), MPI_BYTE, &entry);
  MPI_Type_commit(&entry);
  MPI_Bcast(matrix.entries.data(), static_cast<int>(sizes[1]), entry, 0, MPI_COMM_WORLD);
  MPI_Type_free(&entry);
  MPI_Bcast(owner.data(), matrix.rows, MPI_INT, 0, MPI_COMM_WORLD);
  return makePart(matrix, owner, rank);
}

/// Tells a simulator how much was computed, as it does not measure computation.
void charge(std::size_t operations) {
#ifdef SMPI_H
  smpi_execute_flops(static_cast<double>(operations));
#else
  (void)operations;
#endif
}

std::vector<int> counts(const Part &part, bool copies) {
  std::vector<int> result;
  for (const Part::Neighbour &neighbour : part.neighbours)
    result.push_back(copies ? neighbour.copies : static_cast<int>(neighbour.own.size()));
  return result;
}

class Product {
public:
  Product(const Part &part, bool byColumns)
      : part(part), byColumns(byColumns),
        exchange(part, counts(part, byColumns), counts(part, !byColumns)),
        values(part.vertices.size()) {}

  /// y = A x
  void operator()(const Vector &x, Vector &y) { byColumns ? columns(x, y) : rows(x, y); }

private:
  void rows(const Vector &x, Vector &y) {
    for (std::size_t k = 0; k < part.neighbours.size(); ++k)
      for (std::size_t v = 0; v < part.neighbours[k].own.size(); ++v)
        exchange.sends[k][v] = x[part.neighbours[k].own[v]];
    exchange.run();
    std::copy(x.begin(), x.end(), values.begin());
    for (std::size_t k = 0; k < part.neighbours.size(); ++k)
      std::copy(exchange.receives[k].begin(), exchange.receives[k].end(),
                values.begin() + part.neighbours[k].firstCopy);
    for (int row = 0; row < part.owned; ++row) {
      double sum = 0;
      for (std::size_t at = part.begin[row]; at < part.begin[row + 1]; ++at)
        sum += part.couplings[at].value * values[part.couplings[at].vertex];
      y[row] = sum;
    }
    charge(2 * part.couplings.size());
  }

  void columns(const Vector &x, Vector &y) {
    std::fill(values.begin(), values.end(), 0);
    for (int column = 0; column < part.owned; ++column)
      for (std::size_t at = part.begin[column]; at < part.begin[column + 1]; ++at)
        values[part.couplings[at].vertex] += part.couplings[at].value * x[column];
    charge(2 * part.couplings.size());
    for (std::size_t k = 0; k < part.neighbours.size(); ++k)
      std::copy_n(values.begin() + part.neighbours[k].firstCopy, part.neighbours[k].copies,
                  exchange.sends[k].begin());
    exchange.run();
    std::copy_n(values.begin(), part.owned, y.begin());
    for (std::size_t k = 0; k < part.neighbours.size(); ++k)
      for (std::size_t v = 0; v < part.neighbours[k].own.size(); ++v)
        y[part.neighbours[k].own[v]] += exchange.receives[k][v];
  }

  const Part &part;
  const bool byColumns;
  Exchange exchange;
  Vector values; // of own vertices, then of copies
};

double dot(const Vector &a, const Vector &b) {
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += a[k] * b[k];
  charge(2 * a.size());
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// Solves A x = b from x = 0; `prints`: the norm of the residual after every iteration.
void solve(Product &product, const Vector &b, Vector &x, int iterations, bool prints) {
  const double first = std::sqrt(dot(b, b));
  Vector r = b, p = b, q(b.size());
  double rr = dot(r, r);
  int iteration = 0;
  for (; iteration < iterations && std::sqrt(rr) > 1e-12 * first; ++iteration) {
    product(p, q);
    const double alpha = rr / dot(p, q);
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] += alpha * p[k];
      r[k] -= alpha * q[k];
    }
    const double before = rr;
    rr = dot(r, r);
    for (std::size_t k = 0; k < x.size(); ++k)
      p[k] = r[k] + rr / before * p[k];
    charge(6 * x.size());
    if (prints)
      std::printf("iteration %3d, residual %.17g\n", iteration + 1, std::sqrt(rr) / first);
  }
  product(x, q);
  for (std::size_t k = 0; k < x.size(); ++k)
    r[k] = b[k] - q[k];
  const double left = std::sqrt(dot(r, r)) / first;
  const bool right = std::abs(left - std::sqrt(rr) / first) < 1e-10;
  if (prints)
    std::printf("|b - A x| / |b| = %.17g, %s\n", left,
                right ? "as the iterations say" : "which is not what the iterations say");
  if (!right)
    fail("the residual is wrong");
}

/// Seconds for each of several products of the matrix with the previous result, scaled down.
double multiply(Product &product, const Part &part, Vector &x, int products) {
  Vector y(x.size()), weights(x.size());
  for (std::size_t v = 0; v < x.size(); ++v)
    for (std::size_t at = part.begin[v]; at < part.begin[v + 1]; ++at)
      weights[v] += std::abs(part.couplings[at].value);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  for (int k = 0; k < products; ++k) {
    product(x, y);
    for (std::size_t v = 0; v < x.size(); ++v)
      x[v] = 1 + y[v] / weights[v];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return products > 0 ? (MPI_Wtime() - begun) / products : 0;
}

void run(const Options &options, int rank, int ranks) {
  const Part part = distribute(options, rank, ranks);
  int mine[] = {part.owned, static_cast<int>(part.neighbours.size())}, most[2], all[2];
  MPI_Reduce(mine, most, 2, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%d rows on %d ranks, by %s; a rank exchanges values with %.1f others, at most "
                "with %d\n",
                all[0], ranks, options.byColumns ? "columns" : "rows",
                static_cast<double>(all[1]) / ranks, most[1]);
  Product product(part, options.byColumns);
  Vector x(part.owned), b(part.owned);
  for (int v = 0; v < part.owned; ++v)
    b[v] = x[v] = 1 + part.vertices[v] % 7 / 8.0;
  const double seconds = multiply(product, part, x, options.products);
  const double norm = std::sqrt(dot(x, x));
  std::fill(x.begin(), x.end(), 0);
  if (rank == 0)
    std::printf("%d products, |x| = %.17g\n", options.products, norm);
  solve(product, b, x, options.iterations, rank == 0);
  if (rank == 0)
    std::fprintf(stderr, "%.3f us a product\n", 1e6 * seconds);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  run(parse(argc, argv), rank, ranks);
  MPI_Finalize();
}
