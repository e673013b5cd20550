#include <mpi.h>

template <class Value> int pass(const Value &value, int to) {
  const int number = static_cast<int>(value);
  return MPI_Send(&number, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}
