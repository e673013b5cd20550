// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stand-in for a symmetric matrix of which only figures are known: its rows, its nonzeros, and
// the coefficient of variation (cv) of the nonzeros of a row. Numbers of nonzeros are the quantiles
// of a lognormal distribution, given to the rows in random order. A row is linked to rows near it,
// and in part to any: rows with many links are found the more often. How a matrix couples its rows
// is not among the figures, so a twin's messages are like those of the matrix only as far as these
// decide.

#ifndef SENDWRIGHT_TEST_BENCHMARK_PARTITIONING_TWIN_H
#define SENDWRIGHT_TEST_BENCHMARK_PARTITIONING_TWIN_H

#include "examples/spmv/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <vector>

struct TwinFigures {
  int rows;
  long nonzeros;
  double cv;
  double far; ///< the part of the nonzeros that is anywhere, from 0 to 1
};

class TwinGenerator {
public:
  explicit TwinGenerator(const TwinFigures &figures) : figures(figures) {
    const double mean = static_cast<double>(figures.nonzeros) / figures.rows;
    if (figures.rows < 2 || mean < 1 || mean > figures.rows / 2.0 || figures.cv < 0)
      throw std::runtime_error("a twin needs from 1 to ROWS / 2 nonzeros in a row, and a cv of at "
                               "least 0");
  }

  Matrix generate() {
    findDegrees();
    // Rows with many links choose first, while there is room.
    std::vector<int> order(degrees.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return degrees[at(a)] > degrees[at(b)]; });
    const long links = (figures.nonzeros - figures.rows + 1) / 2;
    left.resize(degrees.size());
    for (std::size_t row = 0; row < left.size(); ++row)
      left[row] = degrees[row];
    for (const int row : order)
      while (left[at(row)] >= 0.5 && static_cast<long>(seen.size()) < links)
        if (!link(row))
          break;
    while (static_cast<long>(seen.size()) < links)
      link(static_cast<int>(numbers.below(static_cast<std::uint32_t>(figures.rows))));
    return matrixOfLinks();
  }

private:
  static std::size_t at(int row) { return static_cast<std::size_t>(row); }

  /// Links of each row: lognormal, with the mean and the cv that are asked for. The cv of a sample
  /// that ends at `rows` is below that of the distribution, so the latter is searched.
  void findDegrees() {
    const double mean = static_cast<double>(figures.nonzeros) / figures.rows;
    for (int row = 0; row < figures.rows; ++row)
      quantiles.push_back(normal((row + 0.5) / figures.rows));
    double low = 0, high = 4;
    for (int step = 0; step < 30; ++step) {
      const double sigma = (low + high) / 2;
      fill(sigma, mean);
      (deviation() < figures.cv * mean ? low : high) = sigma;
    }
    for (std::size_t last = degrees.size() - 1; last > 0; --last)
      std::swap(degrees[last], degrees[numbers.below(static_cast<std::uint32_t>(last) + 1)]);
    sums.assign(degrees.size() + 1, 0);
    std::partial_sum(degrees.begin(), degrees.end(), sums.begin() + 1);
  }

  void fill(double sigma, double mean) {
    degrees.resize(at(figures.rows));
    double scale = mean, most = 0.9 * figures.rows;
    for (int pass = 0; pass < 8; ++pass) {
      double sum = 0;
      for (std::size_t k = 0; k < degrees.size(); ++k) {
        degrees[k] = std::clamp(scale * std::exp(sigma * quantiles[k]), 1.0, most) - 1;
        sum += degrees[k] + 1;
      }
      scale *= mean * figures.rows / sum;
    }
  }

  double deviation() const {
    const double mean = std::accumulate(degrees.begin(), degrees.end(), 0.0) / figures.rows;
    double squares = 0;
    for (const double degree : degrees)
      squares += (degree - mean) * (degree - mean);
    return std::sqrt(squares / figures.rows);
  }

  /// The standard normal distribution's quantile, by bisection of its complementary error function.
  static double normal(double quantile) {
    double low = -8, high = 8;
    for (int step = 0; step < 50; ++step) {
      const double middle = (low + high) / 2;
      (std::erfc(-middle / std::sqrt(2.0)) / 2 < quantile ? low : high) = middle;
    }
    return low;
  }

  /// A row of [begin, end), each with the probability of its links.
  int drawRow(int begin, int end) {
    const double place = (numbers.below(1U << 30) + 0.5) / (1U << 30);
    const double sum = sums[at(begin)] + place * (sums[at(end)] - sums[at(begin)]);
    const auto found = std::upper_bound(sums.begin() + begin + 1, sums.begin() + end, sum);
    return static_cast<int>(found - sums.begin()) - 1;
  }

  /// Adds one link to `row`. Near means: within as many rows as it has links, or more where these
  /// are taken. Returns whether there was room.
  bool link(int row) {
    const bool far = numbers.below(1U << 20) < figures.far * (1U << 20);
    double width = std::max(4.0, degrees[at(row)] * 0.75);
    for (int attempt = 0; attempt < 60; ++attempt) {
      const int reach = static_cast<int>(std::min<double>(width, figures.rows));
      const int begin = far ? 0 : std::max(0, row - reach);
      const int end = far ? figures.rows : std::min(figures.rows, row + reach + 1);
      const int other = drawRow(begin, end);
      const bool hasRoom = left[at(other)] >= 0.5 || attempt > 20;
      if (other != row && hasRoom && seen.insert(key(row, other)).second) {
        left[at(row)] -= 1;
        left[at(other)] -= 1;
        return true;
      }
      width *= 1.1;
    }
    return false;
  }

  std::uint64_t key(int a, int b) const {
    return static_cast<std::uint64_t>(std::min(a, b)) * static_cast<std::uint64_t>(figures.rows) +
           static_cast<std::uint64_t>(std::max(a, b));
  }

  Matrix matrixOfLinks() const {
    Matrix matrix;
    matrix.rows = figures.rows;
    matrix.entries.reserve(static_cast<std::size_t>(figures.nonzeros));
    const auto rows = static_cast<std::uint64_t>(figures.rows);
    for (const std::uint64_t one : seen) {
      const int a = static_cast<int>(one / rows), b = static_cast<int>(one % rows);
      matrix.entries.push_back({a, b, 1});
      matrix.entries.push_back({b, a, 1});
    }
    // A diagonal, of which one entry is left out where the number of nonzeros asks for it.
    for (int row = static_cast<int>((figures.nonzeros - figures.rows) % 2); row < figures.rows;
         ++row)
      matrix.entries.push_back({row, row, 1});
    return matrix;
  }

  TwinFigures figures;
  Numbers numbers;
  std::vector<double> quantiles;           // of the standard normal distribution, ascending
  std::vector<double> degrees, left, sums; // by row; links beside the diagonal
  std::unordered_set<std::uint64_t> seen;
};

/// A symmetric matrix with these figures: rows and nonzeros exactly, and cv nearly. The same
/// figures give the same matrix. Throws std::runtime_error if no matrix has them.
/// O(nonzeros log rows).
inline Matrix generateTwin(const TwinFigures &figures) { return TwinGenerator(figures).generate(); }

#endif
