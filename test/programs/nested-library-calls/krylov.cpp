#include "package.hpp"

#include <cmath>

Vector vcycle(const std::vector<Level> &levels, std::size_t depth, const Vector &b) {
  const Level &level = levels[depth];
  Vector x(b.size());
  level.smooth(b, x, 2);
  if (depth + 1 < levels.size()) {
    const Vector r = level.residual(b, x);
    Vector coarse(r.size() / 2);
    for (std::size_t i = 0; i < coarse.size(); ++i)
      coarse[i] = 0.5 * (r[2 * i] + r[2 * i + 1]);
    const Vector correction = vcycle(levels, depth + 1, coarse);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += correction[i / 2];
    level.smooth(b, x, 1);
  }
  return x;
}

double richardson(const std::vector<Level> &levels, const Vector &b, Vector &x, int steps) {
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    const Vector r = levels[0].residual(b, x), correction = vcycle(levels, 0, r);
    norm = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += correction[i];
      norm += r[i] * r[i];
    }
  }
  return std::sqrt(norm);
}
