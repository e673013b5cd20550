// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/LeastSquares.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace sendwright {

namespace {

using Matrix = std::vector<std::vector<double>>; // of rows

double meanOf(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double productOf(const std::vector<double> &one, const std::vector<double> &other) {
  return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

/// Solves by Gaussian elimination with the largest pivot of each column; the last element of a row
/// is its right side. The matrix holds correlations: a pivot near 0 means that columns depend on
/// each other.
std::optional<std::vector<double>> solve(Matrix rows) {
  const std::size_t size = rows.size();
  for (std::size_t step = 0; step < size; ++step) {
    std::size_t best = step;
    for (std::size_t row = step + 1; row < size; ++row)
      if (std::abs(rows[row][step]) > std::abs(rows[best][step]))
        best = row;
    if (std::abs(rows[best][step]) < 1e-9)
      return std::nullopt;
    std::swap(rows[step], rows[best]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == step)
        continue;
      const double factor = rows[row][step] / rows[step][step];
      for (std::size_t column = step; column <= size; ++column)
        rows[row][column] -= factor * rows[step][column];
    }
  }
  std::vector<double> solution;
  solution.reserve(size);
  for (std::size_t row = 0; row < size; ++row)
    solution.push_back(rows[row][size] / rows[row][row]);
  return solution;
}

} // namespace

std::optional<LeastSquaresFit> fitLeastSquares(const std::vector<std::vector<double>> &columns,
                                               const std::vector<double> &y) {
  if (y.size() <= columns.size())
    return std::nullopt;
  // Centred on the means and scaled by the columns' lengths, so that sizes of 1e9 lose no digits.
  std::vector<std::vector<double>> centred(columns);
  std::vector<double> means, lengths;
  for (std::vector<double> &column : centred) {
    means.push_back(meanOf(column));
    for (double &value : column)
      value -= means.back();
    lengths.push_back(std::sqrt(productOf(column, column)));
    if (lengths.back() <= 1e-12 * std::abs(means.back()) || lengths.back() == 0)
      return std::nullopt;
    for (double &value : column)
      value /= lengths.back();
  }
  Matrix rows;
  for (const std::vector<double> &column : centred) {
    std::vector<double> &row = rows.emplace_back();
    for (const std::vector<double> &other : centred)
      row.push_back(productOf(column, other));
    row.push_back(productOf(column, y));
  }
  const std::optional<std::vector<double>> slopes = solve(std::move(rows));
  if (!slopes)
    return std::nullopt;
  LeastSquaresFit fit;
  fit.coefficients.push_back(meanOf(y));
  for (std::size_t index = 0; index < columns.size(); ++index) {
    fit.coefficients.push_back((*slopes)[index] / lengths[index]);
    fit.coefficients[0] -= fit.coefficients.back() * means[index];
  }
  for (std::size_t point = 0; point < y.size(); ++point) {
    double left = y[point] - fit.coefficients[0];
    for (std::size_t index = 0; index < columns.size(); ++index)
      left -= fit.coefficients[index + 1] * columns[index][point];
    fit.squares += left * left;
  }
  return fit;
}

} // namespace sendwright
