#ifndef SPARSE_HPP
#define SPARSE_HPP
#include <mpi.h>

#include <vector>

struct Entry {
  int row, column;
  double value;
  bool operator<(const Entry &other) const {
    return row != other.row ? row < other.row : column < other.column;
  }
};

/// Row r belongs to rank r % ranks.
std::vector<Entry> transpose(const std::vector<Entry> &matrix, MPI_Comm communicator);
#endif
