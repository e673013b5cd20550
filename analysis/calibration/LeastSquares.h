// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight lines and planes through measured points.

#ifndef SENDWRIGHT_ANALYSIS_CALIBRATION_LEASTSQUARES_H
#define SENDWRIGHT_ANALYSIS_CALIBRATION_LEASTSQUARES_H

#include <optional>
#include <vector>

namespace sendwright {

/// y = coefficients[0] + coefficients[1] * columns[0] + ...
struct LeastSquaresFit {
  std::vector<double> coefficients;
  double squares = 0; ///< sum of the squared residuals, in units of y squared
};

/// The fit with the least sum of squares, by normal equations. Each column has as many values as
/// `y`. Nothing if the points do not determine the fit: too few points, or columns that depend on
/// each other and the constant. O(n k^2 + k^3) for n points and k columns.
std::optional<LeastSquaresFit> fitLeastSquares(const std::vector<std::vector<double>> &columns,
                                               const std::vector<double> &y);

} // namespace sendwright

#endif
