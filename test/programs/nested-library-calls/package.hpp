#ifndef PACKAGE_HPP
#define PACKAGE_HPP
#include <mpi.h>

#include <vector>

using Vector = std::vector<double>;

struct Plan { // of one level's exchange
  std::vector<int> ranks;
  std::vector<int> index; // into the vector, one entry per rank
};

void exchange(const Plan &plan, const Vector &x, Vector &ghosts, MPI_Comm communicator);

struct Level {
  Plan plan;
  MPI_Comm communicator;
  double diagonal;
  Vector multiply(const Vector &x) const;
  Vector residual(const Vector &b, const Vector &x) const;
  void smooth(const Vector &b, Vector &x, int sweeps) const;
};

Vector vcycle(const std::vector<Level> &levels, std::size_t depth, const Vector &b);
double richardson(const std::vector<Level> &levels, const Vector &b, Vector &x, int steps);
#endif
