#include "package.hpp"

Vector Level::multiply(const Vector &x) const {
  Vector y(x.size()), ghosts;
  exchange(plan, x, ghosts, communicator);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = diagonal * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < x.size() ? x[i + 1] : 0);
  for (std::size_t i = 0; i < ghosts.size(); ++i)
    y[plan.index[i]] -= 0.25 * ghosts[i];
  return y;
}

Vector Level::residual(const Vector &b, const Vector &x) const {
  Vector r = multiply(x);
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] = b[i] - r[i];
  return r;
}

void Level::smooth(const Vector &b, Vector &x, int sweeps) const {
  while (sweeps-- > 0) {
    const Vector r = residual(b, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += r[i] / (diagonal + 2);
  }
}
